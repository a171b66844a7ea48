import { type ListedSession, signInApi } from '@tatami/contract/accounts/sign-in'
import { failureMessage } from '../lib/api.ts'
import { formatInstantDate, formatTimeOrDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { DoneNotice, ErrorNotice } from '../ui/notices.tsx'
import { Loading } from '../ui/loading.tsx'
import { Panel } from '../ui/panel.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'

const REFRESH_OPTIONS = { refreshes: [signInApi.sessions] }

export function Sessions() {
  const query = useRetryingQuery(endpointQuery(signInApi.sessions))
  const sessions = query.data
  const endOthers = useEndpointMutation(signInApi.endOtherSessions, REFRESH_OPTIONS)
  const otherSessions = sessions?.filter(({ is_current }) => !is_current) ?? []
  return (
    <Panel title="Where you are logged in">
      <Loading query={query} error="Your devices could not be loaded.">
        <SkeletonBlock height="9rem">Loading...</SkeletonBlock>
      </Loading>
      {sessions && (
        <FramedList aria-label="Devices">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </FramedList>
      )}
      {otherSessions.length > 0 && (
        <div>
          <BusyButton
            variant="default"
            busy={endOthers.isPending}
            busyLabel="Logging out..."
            onClick={() => endOthers.isPending || endOthers.mutate()}
          >
            Log out everywhere else
          </BusyButton>
        </div>
      )}
      <ErrorNotice>{failureMessage(endOthers, 'That didn’t work. Please try again.')}</ErrorNotice>
      {endOthers.data && otherSessions.length === 0 && (
        <DoneNotice>You are logged in on this device only.</DoneNotice>
      )}
    </Panel>
  )
}

function SessionRow({ session }: { session: ListedSession }) {
  const { id, device, address, created_at, last_used_at, is_current } = session
  const end = useEndpointMutation(signInApi.endSession, REFRESH_OPTIONS)
  const name = device ?? 'Unknown device'
  const usage = is_current ? 'This device' : `Last used ${formatTimeOrDate(last_used_at)}`
  return (
    <FramedRow
      name={name}
      details={[
        `${usage}${address ? `, from ${address}` : ''}`,
        `Logged in ${formatInstantDate(created_at)}`,
      ]}
    >
      {!is_current && (
        <BusyButton
          variant="default"
          size="sm"
          busy={end.isPending}
          busyLabel="Logging out..."
          aria-label={`Log out ${name}`}
          onClick={() => end.isPending || end.mutate({ params: { id } })}
        >
          Log out
        </BusyButton>
      )}
      <ErrorNotice>{failureMessage(end, 'That didn’t work. Please try again.')}</ErrorNotice>
    </FramedRow>
  )
}
