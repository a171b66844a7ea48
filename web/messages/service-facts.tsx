import { useQuery } from '@tanstack/react-query'
import type { SERVICES } from '@tatami/contract/texting/texting'
import { Title } from '@mantine/core'
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

const SETTINGS = [
  ['TWILIO_ACCOUNT_SID', 'your account, from the Twilio console'],
  ['TWILIO_AUTH_TOKEN', 'its secret token'],
  ['TWILIO_FROM', 'the number your texts come from'],
  ['TWILIO_MESSAGING_SERVICE_SID', 'a messaging service to use instead of one number'],
] as const

export const ConnectTwilio = () => (
  <>
    <Title order={2} id="connect-twilio">
      Connect Twilio
    </Title>
    <p>
      Set these in the server’s environment or its .env file, then restart the server. Texts will go
      out through Twilio.
    </p>
    <dl className={kit.stackSmall}>
      {SETTINGS.map(([name, meaning]) => (
        <div key={name}>
          <dt className={kit.name}>
            <code>{name}</code>
          </dt>
          <dd className={kit.muted}>{meaning}</dd>
        </div>
      ))}
    </dl>
  </>
)
