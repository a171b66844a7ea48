import { useQuery } from '@tanstack/react-query'
import type { SERVICES } from '@tatami/contract/texting'
import { showPhone } from '../lib/show-phone.ts'
import classes from './service-facts.module.css'
import { infoQuery } from './simulator-banner.tsx'

const NAMES: Record<(typeof SERVICES)[number], string> = { twilio_sms: 'Twilio', simulator: 'Simulator', none: 'None' }

/** Which service carries the texts, and from which number. */
export function ServiceFacts() {
  const { data } = useQuery(infoQuery)
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Service</dt>
        <dd>{data ? NAMES[data.service] : '–'}</dd>
      </div>
      {data?.phone_number && (
        <div>
          <dt>Sent from</dt>
          <dd>{showPhone(data.phone_number)}</dd>
        </div>
      )}
    </dl>
  )
}
