import { Button, Stack } from '@mantine/core'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { profileApi } from '@tatami/contract/profile/profile'
import { useQuery } from '@tanstack/react-query'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useSyncExternalStore } from 'react'
import { failureMessage } from '../lib/api.ts'
import { kioskCredential } from './kiosk-credential.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { session } from '../lib/session.ts'
import { pluralize } from '../lib/text.ts'
import { logout } from '../accounts/logout.ts'
import { VisitorPage } from '../accounts/visitor-page.tsx'
import { PageLoading } from '../ui/brand.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { KioskScreen } from './kiosk-screen.tsx'
import { useLostCheckInCount } from './check-ins.ts'

const useKioskToken = () => useSyncExternalStore(kioskCredential.subscribe, kioskCredential.token)

/** Returns the code of the link that set up this device, or an empty string. */
const readCodeInUrl = () => location.hash.slice(1)

export function KioskPage() {
  const token = useKioskToken()
  useEffect(() => {
    if (token) import('../lib/shell.ts').then(({ storeApp }) => storeApp()).catch(() => {})
  }, [token])
  if (token) return session.token() ? <LogOutInstructor /> : <KioskScreen key={token} />
  return readCodeInUrl() ? <StartKiosk /> : <NoKiosk />
}

/** Logs out an instructor who used the tablet, so students at the door can't use the account. */
function LogOutInstructor() {
  useEffect(() => void logout('/kiosk'), [])
  return <PageLoading />
}

/** Waits for a tap. The link works only once, and other apps open links to preview them. */
function StartKiosk() {
  const switchOn = useEndpointMutation(kiosksApi.switchOn, {
    onSuccess: ({ token }) => {
      history.replaceState(history.state, '', location.pathname)
      kioskCredential.start(token)
    },
  })
  return (
    <VisitorPage title="Kiosk">
      <Stack gap="md">
        <p>This device will become a check-in kiosk. It can’t open anything else.</p>
        {session.token() && <p>Anyone logged in on this device will be logged out.</p>}
        <ErrorNotice>
          {failureMessage(switchOn, 'The kiosk could not be started. Please try again.')}
        </ErrorNotice>
        <BusyButton
          size="lg"
          busy={switchOn.isPending}
          busyLabel="Starting..."
          onClick={() => switchOn.mutate({ body: { code: readCodeInUrl() } })}
        >
          Start the kiosk
        </BusyButton>
      </Stack>
    </VisitorPage>
  )
}

function NoKiosk() {
  const isLoggedIn = session.token() !== null
  const { data: profile } = useQuery({ ...endpointQuery(profileApi.show), enabled: isLoggedIn })
  const memberLink = profile?.staff
    ? { href: '/kiosks', label: 'Kiosk settings' }
    : { href: '/dashboard', label: 'Dashboard' }
  const { href, label } = isLoggedIn ? memberLink : { href: '/login', label: 'Log in' }
  const lostCount = useLostCheckInCount()
  // A new link to this page only changes the hash, so the browser does not load the page again.
  useWindowEvent('hashchange', () => readCodeInUrl() && location.reload())
  return (
    <VisitorPage title="Kiosk">
      <Stack gap="md">
        {kioskCredential.hasEnded() && (
          <p role="status">
            An instructor ended this kiosk.
            {lostCount > 0 &&
              ` ${pluralize(lostCount, 'check-in')} could not be sent. Please mark the attendance.`}
          </p>
        )}
        <p>
          A kiosk is a tablet at the door where students check in. An instructor sets it up on the
          School page.
        </p>
        <Button component="a" href={href} size="lg">
          {label}
        </Button>
      </Stack>
    </VisitorPage>
  )
}
