import { Button } from '@mantine/core'
import { type LeadDetails, leadsApi } from '@tatami/contract/leads/leads'
import { progressProps } from '../lib/api.ts'
import { formatDate, formatInstantDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { LEAD_QUERIES } from './lead-queries.ts'
import kit from '../ui/kit.module.css'

type Props = { lead: LeadDetails; onRecord: () => void }

/** Says whether Tatami may text the lead, and what to do about it. */
export function TextPermission({ lead, onRecord }: Props) {
  const { phone, has_stopped_texts, may_be_texted, spoken_consent } = lead
  if (phone === null) return null
  if (has_stopped_texts) return <p>Call or email only: the phone replied STOP.</p>
  if (may_be_texted) return <p className={kit.note}>Agreed to texts about trials.</p>
  if (!spoken_consent)
    return (
      <div className={kit.stackTight}>
        <p>Call or email only: no agreement to texts yet.</p>
        <Button variant="default" mr="auto" aria-haspopup="dialog" onClick={onRecord}>
          They said yes to texts
        </Button>
      </div>
    )
  return (
    <div className={kit.stackTight}>
      <p>
        Call or email only, until the phone replies YES.{' '}
        {spoken_consent.asked_at && `Asked on ${formatInstantDate(spoken_consent.asked_at)}.`}
      </p>
      <SpokenConsent lead={lead} />
      {!spoken_consent.asked_at && <AskAgain lead={lead} />}
    </div>
  )
}

function SpokenConsent({ lead: { spoken_consent } }: { lead: LeadDetails }) {
  if (!spoken_consent) return null
  const { words, said_on, recorded_by_name } = spoken_consent
  return (
    <p className={kit.note}>
      “{words}”, said on {formatDate(said_on)}
      {recorded_by_name && `, written down by ${recorded_by_name}`}
    </p>
  )
}

/** At night, and after the daily limit of texts, the question has to wait. */
function AskAgain({ lead: { id, spoken_consent } }: { lead: LeadDetails }) {
  const ask = useEndpointMutation(leadsApi.recordSpokenConsent, { refreshes: LEAD_QUERIES })
  const { busy, error } = progressProps(ask, 'The question could not be sent. Please try again.')
  if (!spoken_consent) return null
  const { said_on, words } = spoken_consent
  return (
    <>
      <p>The question could not be sent yet: texts go out between 8 AM and 9 PM.</p>
      <BusyButton
        variant="default"
        mr="auto"
        busy={busy}
        busyLabel="Asking..."
        onClick={() => ask.mutate({ params: { id }, body: { said_on, words } })}
      >
        Send the question now
      </BusyButton>
      <ErrorNotice>{error}</ErrorNotice>
    </>
  )
}
