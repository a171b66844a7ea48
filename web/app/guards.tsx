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
import { lastLayout, pathWithoutLayout, pathInLastLayout } from '../lib/layout.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { useToday } from '../lib/use-today.ts'
import { useTitle } from '../ui/page-frame.tsx'
import { NoNetwork, ServerUnreachable } from './error-pages.tsx'
import { admits, type Screen } from './routes.tsx'
import { homePathIn, roleOf, useCurrentUser, CurrentUserContext } from '../lib/current-user.ts'
import { Loading } from '../ui/brand.tsx'
import { lazyComponentFrom } from '../ui/lazy-component.tsx'

const useToken = () => useSyncExternalStore(session.subscribe, session.token)

const PROFILE_FRESH_MS = 60_000
// Errors show at once and are retried on the error page (error-pages.tsx).
export const profileQuery = {
  ...endpointQuery(profileApi.show),
  staleTime: PROFILE_FRESH_MS,
  retry: false,
}

/** Navigate redirects once, which is too early while a closing dialog goes back in the history. */
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

/** If the server is unreachable, the app has been served in the other document's place (sw.js). */
function OtherDocument({ path, load }: { path: '/' | '/login'; load: () => void }) {
  const isStandIn = isStoredDocument() && location.pathname === path
  const leave = useEffectEvent(load)
  useEffect(() => (isStandIn ? undefined : afterDialogsLeft(() => leave())), [isStandIn])
  return isStandIn ? <NoNetwork /> : <Loading />
}

export const ToLanding = () => <OtherDocument path="/" load={() => location.replace('/')} />

/** Loads the login page into this history entry, which keeps the requested location. */
export function ToLogin() {
  const { state: usr } = useLocation() as { state: unknown }
  const load = () => {
    history.replaceState({ ...history.state, usr }, '', '/login')
    location.reload()
  }
  return <OtherDocument path="/login" load={load} />
}

const SignInStepPage = lazyComponentFrom(
  () => import('../accounts/sign-in-step.tsx').then((part) => part.SignInStepPage),
  <Loading />,
)

/** A session that ends here leads to the public landing page (specification, section 6). */
const LEADING_TO_LANDING = ['/', '/super-admin']

export const loadOffline = () => import('./start-offline.ts')

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
    // In a task of its own, so that the browser paints the first screen before.
    const timer = isKnown ? setTimeout(() => void start()) : undefined
    return () => clearTimeout(timer)
  }, [isKnown, isInstructor])
  useEffect(() => {
    if (isRefused) session.end()
  }, [isRefused])

  if (!token)
    return hadToken &&
      LEADING_TO_LANDING.includes(pathWithoutLayout(requestedLocation.pathname)) ? (
      <ToLanding />
    ) : (
      <Redirect to="/login" state={{ requestedLocation }} />
    )
  if (profile.data) {
    drafts.setOwner(profile.data.id)
    deviceStorage.setOwner(profile.data.id)
    // Set before the children render: they show the dojo's days and words.
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
  return <Redirect to={homePathIn(layout, user)} />
}

const Onward = () => {
  const { requestedLocation } = Object(useLocation().state) as { requestedLocation?: Location }
  const user = useCurrentUser()
  return <Redirect to={requestedLocation ?? homePathIn(lastLayout() ?? 'mobile', user)} />
}

export function AnyLayout() {
  const { pathname, search } = useLocation()
  return <Redirect to={pathInLastLayout(pathWithoutLayout(pathname)) + search} />
}

export const Visitor = ({ children }: { children: ReactNode }) =>
  useToken() ? (
    <SignedIn>
      <Onward />
    </SignedIn>
  ) : (
    children
  )
