import { useQuery } from '@tanstack/react-query'
import { ADMITS } from '@tatami/contract/endpoint'
import { profileApi } from '@tatami/contract/profile'
import { useEffect, useState, type ReactNode } from 'react'
import { Navigate, useLocation, type Location } from 'react-router'
import { setTimeZone } from './kernel/dates.ts'
import { drafts } from './kernel/drafts.ts'
import { endpointQuery } from './kernel/query.ts'
import { session } from './kernel/session.ts'
import { pageOf } from './kernel/page-of.ts'
import { useTitle } from './kernel/use-title.ts'
import { useToken } from './kernel/use-token.ts'
import { LogoutButton } from './logout-button.tsx'
import { PlainPage } from './plain-page.tsx'
import type { Screen } from './routes.tsx'
import { homeOf, roleOf, useUser, UserContext } from './students/user.ts'
import { ErrorNotice } from './ui/error-notice.tsx'
import { Loading } from './ui/loading.tsx'

/** Every screen asks who is signed in; that seldom changes. */
const PROFILE_FRESH_MS = 60_000

/** Loads the landing page, which is a document of its own. */
function ToLanding() {
  useEffect(() => location.replace('/'), [])
  return <Loading />
}

/** Everything behind the sign-in. Others go to /login, which remembers where they wanted to. */
export function SignedIn({ children }: { children: ReactNode }) {
  const wanted = useLocation()
  const token = useToken()
  const [hadToken] = useState(token !== null)
  const profile = useQuery({ ...endpointQuery(profileApi.show), enabled: token !== null, staleTime: PROFILE_FRESH_MS })

  // A super admin whose session ends goes to the landing page (specification, section 6).
  if (!token)
    return hadToken && pageOf(wanted.pathname) === '/super-admin' ? <ToLanding /> : <Navigate to="/login" replace state={{ wanted }} />
  if (profile.data) {
    drafts.belongTo(profile.data.id)
    // Before anything below is drawn: all of it shows the dojo's days.
    setTimeZone(profile.data.time_zone)
    return <UserContext value={profile.data}>{children}</UserContext>
  }
  if (profile.isError && !profile.isFetching) return <NotReached onRetry={() => void profile.refetch()} />
  return <Loading />
}

const NotReached = ({ onRetry }: { onRetry: () => void }) => (
  <PlainPage title="Tatami cannot be reached">
    <p>You are still signed in.</p>
    <ErrorNotice onRetry={onRetry}>The server did not answer.</ErrorNotice>
    <LogoutButton variant="subtle" />
  </PlainPage>
)

/** A screen for those it is for; others go to their own home. */
export function Only({ who, title, children }: Pick<Screen, 'who' | 'title'> & { children: ReactNode }) {
  const user = useUser()
  useTitle(title)
  const isAdmitted = (ADMITS[who] as readonly string[]).includes(roleOf(user))
  return isAdmitted ? children : <Navigate to={homeOf(user)} replace />
}

/** Where one wanted to go before the sign-in, else home. */
const Onward = () => {
  const { wanted } = Object(useLocation().state) as { wanted?: Location }
  const home = homeOf(useUser())
  return <Navigate to={wanted ?? home} replace />
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

/** `/` inside the app: home for the signed-in; for others the landing page. */
export const Front = () =>
  session.token() ? (
    <SignedIn>
      <Onward />
    </SignedIn>
  ) : (
    <ToLanding />
  )
