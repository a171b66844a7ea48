import { profileApi } from '@tatami/contract/profile/profile'
import { type ReactNode, startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, useRoutes, type RouteObject } from 'react-router'
import { DesktopLayout, MobileLayout } from './layouts.tsx'
import {
  LastLayoutRedirect,
  loadStartOffline,
  ScreenForRole,
  profileQuery,
  Redirect,
  SignedIn,
  LandingPageRedirect,
  LoginPageRedirect,
  VisitorsOnly,
} from './guards.tsx'
import { startDialogHistory } from '../lib/dialog-history.ts'
import { deferInstallPrompt } from '../lib/install-prompt.ts'
import { startNative } from '../lib/native.ts'
import { isPrefetched } from '../lib/prefetch.ts'
import { queryClient } from '../lib/query.ts'
import { followOtherTabs, clearHistoryOnLogout, session } from '../lib/session.ts'
import { pathIn, type Layout } from '../lib/layout.ts'
import { AppBoundary, NotFound } from './error-pages.tsx'
import { requestedPath } from './pages.ts'
import { PAGES, SCREENS, findScreen } from './routes.tsx'
import { Providers } from '../ui/providers.tsx'
import { findElement } from '../lib/find-element.ts'

const listRoutes = (layout: Layout): RouteObject[] =>
  SCREENS.map((screen) => ({
    path: pathIn(layout, screen.path),
    element: <ScreenForRole screen={screen} />,
  }))

const forVisitor = (page: ReactNode) => <VisitorsOnly>{page}</VisitorsOnly>
const forSignedIn = (page: ReactNode) => <SignedIn>{page}</SignedIn>

const ROUTES: RouteObject[] = [
  { path: '/', element: forVisitor(<LandingPageRedirect />) },
  { path: '/login', element: forVisitor(<LoginPageRedirect />) },
  ...PAGES.map(({ path, forVisitors, component: Page }) => ({
    path,
    element: forVisitors ? forVisitor(<Page />) : <Page />,
  })),
  { element: forSignedIn(<MobileLayout />), children: listRoutes('mobile') },
  { element: forSignedIn(<DesktopLayout />), children: listRoutes('desktop') },
  { path: '/open/*', element: forSignedIn(<LastLayoutRedirect />) },
  { path: '/desktop/dashboard', element: <Redirect to="/desktop" /> },
  { path: '*', element: <NotFound /> },
]

const App = () => useRoutes(ROUTES)

const PROFILE_WAIT_MS = 1000

/** Waits for the profile that the document has already requested (head.html), because the first
 *  render needs it. */
async function waitForProfile(maxMs: number) {
  const load = async () => {
    if (await isPrefetched(profileApi.show.path))
      await queryClient.query(profileQuery).catch(() => {})
  }
  await Promise.race([load(), new Promise((resolve) => setTimeout(resolve, maxMs))])
}

async function renderApp() {
  // This device has stored the app, so it may be offline even for the first request.
  if (navigator.serviceWorker?.controller && session.token())
    await loadStartOffline()
      .then(({ startReadingCopies }) => startReadingCopies())
      .catch(() => {})
  await waitForProfile(PROFILE_WAIT_MS)
  const root = createRoot(findElement('#app'))
  startTransition(() =>
    root.render(
      <StrictMode>
        <Providers>
          <AppBoundary>
            <BrowserRouter>
              <App />
            </BrowserRouter>
          </AppBoundary>
        </Providers>
      </StrictMode>,
    ),
  )
}

let isStarted = false
export function startApp() {
  if (isStarted) return
  isStarted = true
  startDialogHistory()
  followOtherTabs()
  clearHistoryOnLogout()
  deferInstallPrompt()
  void startNative()
  findScreen(requestedPath)?.component.preload()
  void renderApp()
}
// The login page preloads this file, but the app must not start before the user has logged in.
if (document.documentElement.dataset.app !== undefined) startApp()
