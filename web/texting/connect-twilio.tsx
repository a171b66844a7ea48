import { Title } from '@mantine/core'
import classes from './sms-setup.module.css'

const SETTINGS = [
  ['TWILIO_ACCOUNT_SID', 'your account, as shown in Twilio’s console'],
  ['TWILIO_AUTH_TOKEN', 'its secret token'],
  ['TWILIO_FROM', 'the number that texts come from'],
  ['TWILIO_MESSAGING_SERVICE_SID', 'a messaging service, instead of one number'],
] as const

/** What whoever runs the server sets, so that real texts go out. */
export const ConnectTwilio = () => (
  <>
    <Title order={2} id="connect-twilio">
      Connect Twilio
    </Title>
    <p>
      Whoever runs this Tatami sets these in the server’s environment or its .env file, and restarts it. From then on texts go out through
      Twilio.
    </p>
    <dl className={classes.variables}>
      {SETTINGS.map(([name, meaning]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </>
)
