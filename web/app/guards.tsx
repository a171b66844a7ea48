import { useQuery } from '@tanstack/react-query'
import type { SignedInUser } from '@tatami/contract/accounts/users'
import { profileApi } from '@tatami/contract/profile/profile'
import { useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useLocation, useNavigate, useParams, type Location, type To } from 'react-router'
import { ApiError } from '../lib/api.ts'
import { setBeltTestName } from '../lib/belt-test.ts'
import { closedPageState } from '../lib/closed-page.ts'
import { setTimeZone } from '../lib/dates.ts'
import { afterHistorySettles } from '../lib/dialog-history.ts'
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
import { findMissingRight, canOpen, type Screen } from './routes.tsx'
import { homePathIn, storesRolls, useCurrentUser, CurrentUserContext } from '../lib/current-user.ts'
import { PageLoading } from '../ui/brand.tsx'
import { lazyComponent, lazyComponentFrom } from '../ui/lazy-component.tsx'

const NotAllowed = lazyComponent(() => import('./not-allowed.tsx'), 'NotAllowed')

const useToken = () => useSyncExternalStore(session.subscribe, session.token)

const PROFILE_STALE_TIME_MS = 60_000
// The error page appears immediately and retries itself (error-pages.tsx).
export const profileQuery = {
  ...endpointQuery(profileApi.show),
  staleTime: PROFILE_STALE_TIME_MS,
  retry: false,
}

/** Redirects again on popstate. A dialog that closes goes back in the history, which may undo the
 *  redirect. */
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

/** Loads a document that is not part of the app. If the server is unreachable, sw.js responds with
 *  the app instead. */
function DocumentRedirect({ path, load }: { path: '/' | '/login'; load: () => void }) {
  const isOfflineFallback = isStoredDocument() && location.pathname === path
  const loadDocument = useEffectEvent(load)
  useEffect(() => {
    if (!isOfflineFallback) afterHistorySettles(() => loadDocument())
  }, [isOfflineFallback])
  return isOfflineFallback ? <NoNetwork /> : <PageLoading />
}

export const LandingPageRedirect = () => (
  <DocumentRedirect path="/" load={() => location.replace('/')} />
)

/** Stores the page to open after login. React Router stores the state of a location as `usr`. */
export function LoginPageRedirect() {
  const { state: usr } = useLocation() as { state: unknown }
  const load = () => {
    history.replaceState({ ...history.state, usr }, '', '/login')
    location.reload()
  }
  return <DocumentRedirect path="/login" load={load} />
}

const SignInStepPage = lazyComponentFrom(
  () => import('../accounts/sign-in-step.tsx').then((module) => module.SignInStepPage),
  <PageLoading />,
)

/** On these paths, the end of a session leads to the landing page (specification, section 6). */
const PATHS_LEADING_TO_LANDING = ['/', '/super-admin']

export const loadStartOffline = () => import('./start-offline.ts')

/** Prepares the device for working offline once the profile has loaded. */
function useOfflineStart(user: SignedInUser | undefined) {
  const hasProfile = user !== undefined
  const canTakeRolls = user !== undefined && storesRolls(user)
  useEffect(() => {
    const start = () =>
      loadStartOffline()
        .then(({ startOffline }) => startOffline(canTakeRolls))
        .catch(() => {})
    // The timeout lets the browser paint the first screen before this starts.
    const timer = hasProfile ? setTimeout(() => void start()) : undefined
    return () => clearTimeout(timer)
  }, [hasProfile, canTakeRolls])
}

export function SignedIn({ children }: { children: ReactNode }) {
  const requestedLocation = useLocation()
  const token = useToken()
  const [hadTokenOnMount] = useState(token !== null)
  const profile = useQuery({ ...profileQuery, enabled: token !== null })
  const [profileError, setProfileError] = useState<Error | null>(null)
  // A refetch clears the query's error. The error page stays until the refetch succeeds.
  if (profile.error && profile.error !== profileError) setProfileError(profile.error)
  const isRefused = profileError instanceof ApiError && profileError.status === 403
  useOfflineStart(profile.data)
  useEffect(() => {
    if (isRefused) session.end()
  }, [isRefused])
  useEffect(() => {
    // The next session must not find copies of the ended one.
    if (!token) void import('../lib/device-database.ts').then(({ clearCopies }) => clearCopies())
  }, [token])

  if (!token) {
    const path = pathWithoutLayout(requestedLocation.pathname)
    if (hadTokenOnMount && PATHS_LEADING_TO_LANDING.includes(path)) return <LandingPageRedirect />
    return <Redirect to="/login" state={{ requestedLocation }} />
  }
  if (profile.data) {
    drafts.setOwner(profile.data.id)
    deviceStorage.setOwner(profile.data.id)
    setTimeZone(profile.data.time_zone)
    setBeltTestName(profile.data.belt_test_name)
    const { sign_in_step } = profile.data
    return (
      <CurrentUserContext value={profile.data}>
        {sign_in_step ? <SignInStepPage step={sign_in_step} /> : children}
      </CurrentUserContext>
    )
  }
  if (profileError && !isRefused)
    return (
      <ServerUnreachable
        error={profileError}
        isRetrying={profile.isFetching}
        retry={() => profile.refetch()}
      />
    )
  return <PageLoading />
}

export function ScreenForRole({ screen }: { screen: Screen }) {
  const { title, component: ScreenComponent } = screen
  const user = useCurrentUser()
  const layout = useLayout()
  useTitle(title)
  useToday()
  const { id } = useParams()
  const right = findMissingRight(screen, user)
  if (canOpen(screen, user)) return <ScreenComponent />
  if (right) return <NotAllowed right={right} />
  const home = homePathIn(layout, user)
  if (user.is_super_admin || screen.page === 'superAdmin') return <Redirect to={home} />
  // An instructor's link to a student leads a guardian to the child on the guardian's own page.
  const childSearch = screen.page === 'student' && user.is_guardian && id ? `?child=${id}` : ''
  const section = screen.section ?? screen.parentPages?.[0] ?? screen.page
  return <Redirect to={home + childSearch} state={closedPageState(section)} />
}

function AfterLoginRedirect() {
  const { requestedLocation } = Object(useLocation().state) as { requestedLocation?: Location }
  const user = useCurrentUser()
  return <Redirect to={requestedLocation ?? homePathIn(lastLayout() ?? 'mobile', user)} />
}

/** The installed app's shortcuts open in the layout that was used last. */
export function LastLayoutRedirect() {
  const { pathname, search } = useLocation()
  return <Redirect to={pathInLastLayout(pathWithoutLayout(pathname)) + search} />
}

/** Shows `children` to visitors, and redirects users who have logged in. */
export const VisitorsOnly = ({ children }: { children: ReactNode }) =>
  useToken() ? (
    <SignedIn>
      <AfterLoginRedirect />
    </SignedIn>
  ) : (
    children
  )
