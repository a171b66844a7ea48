import { useQuery } from '@tanstack/react-query'
import type { SERVICES } from '@tatami/contract/texting/texting'
import { formatPhone } from '../lib/text.ts'
import { infoQuery } from '../texting/text-service.ts'
import styles from './sms-setup.module.css'
import kit from '../ui/kit.module.css'

const SERVICE_NAMES: Record<(typeof SERVICES)[number], string> = {
  twilio_sms: 'Twilio',
  simulator: 'Simulator',
  none: 'None',
}

export function ServiceFacts() {
  const { data } = useQuery(infoQuery)
  return (
    <dl className={`${kit.wrap} ${styles.facts}`}>
      <div>
        <dt className={kit.note}>Service</dt>
        <dd className={kit.strong}>{data ? SERVICE_NAMES[data.service] : '–'}</dd>
      </div>
      {data?.phone_number && (
        <div>
          <dt className={kit.note}>Sent from</dt>
          <dd className={kit.strong}>{formatPhone(data.phone_number)}</dd>
        </div>
      )}
    </dl>
  )
}
