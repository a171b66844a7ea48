import { CONSENT_WORDING_VERSION } from '@tatami/contract/consent'
import classes from './agreement.module.css'

/** What one agrees to. Whoever changes it raises CONSENT_WORDING_VERSION, which is kept with each consent. */
export const Agreement = () => (
  <section className={classes.agreement} aria-label="The agreement">
    <p>
      By signing, you agree that the martial-arts school of the sensei you name may send text messages, through Tatami, to the phone number
      you give.
    </p>
    <ul>
      <li>
        <b>What they are about:</b> fees and payments, classes and their cancellation, and announcements of the school.
      </li>
      <li>
        <b>How often:</b> as the school needs it, usually a few messages a month.
      </li>
      <li>
        <b>What it costs:</b> message and data rates may apply.
      </li>
      <li>
        <b>To end it:</b> reply STOP to any message, and no more will come. Reply START to get them again.
      </li>
      <li>
        <b>For help:</b> reply HELP to any message, or ask your sensei.
      </li>
    </ul>
    <p>
      You need not agree in order to buy anything. We keep this agreement, with its date and the IP address it came from, as proof that you
      gave it.
    </p>
    <p className={classes.version}>Version {CONSENT_WORDING_VERSION}</p>
  </section>
)
