import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, useRoutes, type RouteObject } from 'react-router'
import { DesktopLayout, MobileLayout } from './layouts.tsx'
import { Only, Redirect, Root, SignedIn, ToLogin, Visitor } from './guards.tsx'
import { startDialogHistory } from '../lib/dialog-history.ts'
import { startNative } from '../lib/native.ts'
import { followOtherTabs, clearHistoryOnLogout } from '../lib/session.ts'
import { pathIn, type Layout } from '../lib/layout.ts'
import { AppBoundary, NotFound } from './error-pages.tsx'
import { requestedPage } from './pages.ts'
import { PAGES, SCREENS, screenAt } from './routes.tsx'
import { Providers } from '../ui/providers.tsx'

const screensIn = (layout: Layout): RouteObject[] =>
  SCREENS.map(({ path, who, title, screen: Screen }) => ({
    path: pathIn(layout, path),
    element: (
      <Only who={who} title={title}>
        <Screen />
      </Only>
    ),
  }))

const ROUTES: RouteObject[] = [
  { path: '/', element: <Root /> },
  {
    path: '/login',
    element: (
      <Visitor>
        <ToLogin />
      </Visitor>
    ),
  },
  ...PAGES.map(({ path, forVisitors, page: Page }) => ({
    path,
    element: forVisitors ? (
      <Visitor>
        <Page />
      </Visitor>
    ) : (
      <Page />
    ),
  })),
  {
    element: (
      <SignedIn>
        <MobileLayout />
      </SignedIn>
    ),
    children: screensIn('mobile'),
  },
  {
    element: (
      <SignedIn>
        <DesktopLayout />
      </SignedIn>
    ),
    children: screensIn('desktop'),
  },
  { path: '/desktop/dashboard', element: <Redirect to="/desktop" /> },
  { path: '*', element: <NotFound /> },
]

const App = () => useRoutes(ROUTES)

startDialogHistory()
followOtherTabs()
clearHistoryOnLogout()
void startNative()
// The screen loads while the guards find out who is signed in.
screenAt(requestedPage)?.screen.preload()
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <Providers>
      <AppBoundary>
        <BrowserRouter>
          <App />
        </BrowserRouter>
      </AppBoundary>
    </Providers>
  </StrictMode>,
)
