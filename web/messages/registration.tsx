import { REMINDER_TEXTS } from '@tatami/contract/texting/message-types'
import { PATHS } from '../lib/paths.ts'
import styles from './twilio-account.module.css'
import kit from '../ui/kit.module.css'

const GUIDE_URL = 'https://www.twilio.com/docs/messaging/compliance/a2p-10dlc'
const TOLL_FREE_URL =
  'https://www.twilio.com/docs/messaging/compliance/toll-free/console-onboarding'

const ANSWERS = [
  ['Use case', 'Low Volume Mixed'],
  ['Campaign description', 'Class changes, fee reminders and news for our students and parents.'],
  ['Message flow', 'Parents and students agree on our join page, or on paper when they enroll.'],
  ['Sample message', REMINDER_TEXTS.pre_due.replace('{name}', 'Alex')],
  ['Sample message', 'No class today because of the weather. Stay safe!'],
  ['Opt-out and help', 'Tatami answers STOP, START and HELP'],
  ['Privacy policy', `${location.origin}${PATHS.privacy}`],
] as const

/** How a school registers its number with US carriers. */
export const Registration = () => (
  <div className={`${kit.stackSmall} ${styles.registration}`}>
    <p>
      US carriers block texts from businesses that are not registered (Twilio’s error 30034). You
      register once, in the Twilio console. Twilio charges a fee for it, and the carriers can take a
      few weeks, so start early.
    </p>
    <ul className={styles.list}>
      <li>
        A local number needs{' '}
        <a href={GUIDE_URL} target="_blank" rel="noreferrer">
          A2P 10DLC registration
        </a>
        : first your school (with its EIN, or as a sole proprietor), then how you text.
      </li>
      <li>
        A toll-free number needs{' '}
        <a href={TOLL_FREE_URL} target="_blank" rel="noreferrer">
          toll-free verification
        </a>{' '}
        instead.
      </li>
    </ul>
    <p>Twilio asks how you text. You can answer:</p>
    <dl className={kit.stackSmall}>
      {ANSWERS.map(([question, answer]) => (
        <div key={answer}>
          <dt className={kit.note}>{question}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  </div>
)
