import { useQuery } from '@tanstack/react-query'
import { profileApi } from '@tatami/contract/profile/profile'
import { useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useLocation, useNavigate, type Location, type To } from 'react-router'
import { ApiError } from '../lib/api.ts'
import { setBeltTestName } from '../lib/belt-test.ts'
import { setTimeZone } from '../lib/dates.ts'
import { afterDialogsLeft } from '../lib/dialog-history.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import { drafts } from '../lib/drafts.ts'
import { isStoredDocument } from '../lib/offline.ts'
import { endpointQuery } from '../lib/query.ts'
import { session } from '../lib/session.ts'
import { lastLayout, pageOf, pathHere } from '../lib/layout.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { useToday } from '../lib/use-today.ts'
import { useTitle } from '../ui/page-frame.tsx'
import { NoNetwork, ServerUnreachable } from './error-pages.tsx'
import { admits, type Screen } from './routes.tsx'
import { homeIn, roleOf, useCurrentUser, CurrentUserContext } from '../lib/current-user.ts'
import { Loading } from '../ui/brand.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'

/** The token of whoever is signed in, null for a visitor. */
const useToken = () => useSyncExternalStore(session.subscribe, session.token)

/** Every screen asks who is signed in; that seldom changes. */
const PROFILE_FRESH_MS = 60_000
// What fails is said at once, and tried again while it is read (error-pages.tsx).
export const profileQuery = {
  ...endpointQuery(profileApi.show),
  staleTime: PROFILE_FRESH_MS,
  retry: false,
}

/** Leads to another page, again when a Back returns to this one before the other is drawn: a dialog that closes goes back in the history,
 *  and React Router's Navigate, which leads on once, would leave an empty page. */
export function Redirect({ to, state }: { to: To; state?: unknown }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const redirect = useEffectEvent(() => {
    if (location.pathname === pathname) void navigate(to, { replace: true, state })
  })
  useEffect(() => {
    const onPopState = () => redirect()
    redirect()
    window.addEventListener('popstate', onPopState)
    return () => window.removeEventListener('popstate', onPopState)
  }, [])
  return null
}

/** Leaves for another document, at `path`. Where the server does not answer, this one stands in for it (public/sw.js). */
function OtherDocument({ path, load }: { path: '/' | '/login'; load: () => void }) {
  const isStandIn = isStoredDocument() && location.pathname === path
  const leave = useEffectEvent(load)
  useEffect(() => (isStandIn ? undefined : afterDialogsLeft(() => leave())), [isStandIn])
  return isStandIn ? <NoNetwork /> : <Loading />
}

export const ToLanding = () => <OtherDocument path="/" load={() => location.replace('/')} />

/** Loads the login page into this entry of the history, which goes on saying where one wanted to go. */
export function ToLogin() {
  const { state: usr } = useLocation() as { state: unknown }
  const load = () => {
    history.replaceState({ ...history.state, usr }, '', '/login')
    location.reload()
  }
  return <OtherDocument path="/login" load={load} />
}

/** What somebody who has just signed in has to do before anything else. */
const SignInStepPage = lazyComponent(
  () => import('../accounts/sign-in-step.tsx').then((part) => part.SignInStepPage),
  <Loading />,
)

/** Whoever's session ends here goes to the landing page: it is public, and the super admin's place after a 401 (specification, section 6). */
const LEADING_TO_LANDING = ['/', '/super-admin']

/** What is done for a time without a network. */
export const loadOffline = () => import('./start-offline.ts')

/** Everything behind the sign-in. Others go to /login, which remembers where they wanted to. */
export function SignedIn({ children }: { children: ReactNode }) {
  const requestedLocation = useLocation()
  const token = useToken()
  const [hadToken] = useState(token !== null)
  const profile = useQuery({ ...profileQuery, enabled: token !== null })
  const [problem, setProblem] = useState<Error | null>(null)
  if (profile.error && profile.error !== problem) setProblem(profile.error)
  const isRefused = problem instanceof ApiError && problem.status === 403
  const isKnown = profile.data !== undefined
  const isInstructor = profile.data?.is_instructor === true && !profile.data.is_super_admin
  useEffect(() => {
    const start = () =>
      loadOffline()
        .then(({ startOffline }) => startOffline(isInstructor))
        .catch(() => {})
    // In a task of its own: the browser paints the first screen before.
    const timer = isKnown ? setTimeout(() => void start()) : undefined
    return () => clearTimeout(timer)
  }, [isKnown, isInstructor])
  // A 401 ends the session wherever it comes (lib/api.ts).
  useEffect(() => {
    if (isRefused) session.end()
  }, [isRefused])

  if (!token)
    return hadToken && LEADING_TO_LANDING.includes(pageOf(requestedLocation.pathname)) ? (
      <ToLanding />
    ) : (
      <Redirect to="/login" state={{ requestedLocation }} />
    )
  if (profile.data) {
    drafts.setOwner(profile.data.id)
    deviceStorage.setOwner(profile.data.id)
    // Before anything below is drawn: it shows the dojo's days and words.
    setTimeZone(profile.data.time_zone)
    setBeltTestName(profile.data.belt_test_name)
    const { sign_in_step } = profile.data
    return (
      <CurrentUserContext value={profile.data}>
        {sign_in_step ? <SignInStepPage step={sign_in_step} /> : children}
      </CurrentUserContext>
    )
  }
  if (problem && !isRefused)
    return (
      <ServerUnreachable
        error={problem}
        isTrying={profile.isFetching}
        retry={() => profile.refetch()}
      />
    )
  return <Loading />
}

/** A screen for those it is for; others go to their own home. It is drawn anew when the dojo's day changes. */
export function ScreenForRole({
  screen: { audience, title, screen: ScreenShown },
}: {
  screen: Screen
}) {
  const user = useCurrentUser()
  const layout = useLayout()
  useTitle(title)
  useToday()
  if (admits(audience, roleOf(user))) return <ScreenShown />
  return <Redirect to={homeIn(layout, user)} />
}

/** Where one wanted to go before the sign-in, else home, in the layout last used on this device. */
const Onward = () => {
  const { requestedLocation } = Object(useLocation().state) as { requestedLocation?: Location }
  const user = useCurrentUser()
  return <Redirect to={requestedLocation ?? homeIn(lastLayout() ?? 'mobile', user)} />
}

/** An address without a layout, in the one last used on this device. */
export function AnyLayout() {
  const { pathname, search } = useLocation()
  return <Redirect to={pathHere(pageOf(pathname)) + search} />
}

/** For visitors. As soon as someone is signed in they go on, to the page they came from or home. */
export const Visitor = ({ children }: { children: ReactNode }) =>
  useToken() ? (
    <SignedIn>
      <Onward />
    </SignedIn>
  ) : (
    children
  )
