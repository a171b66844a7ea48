import type { StudentPage } from '@tatami/contract/students/students'
import { formatDateTime } from '../lib/dates.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { TextStatus } from '../texting/delivery-progress.tsx'
import styles from './student-texts.module.css'
import kit from '../ui/kit.module.css'

type Texts = StudentPage['texts']

const NEWEST = 4

export const StudentTexts = ({ texts }: { texts: Texts }) => (
  <>
    {texts.length === 0 ? (
      <p className={kit.muted}>No texts yet.</p>
    ) : (
      <TextList texts={texts.slice(0, NEWEST)} />
    )}
    {texts.length > NEWEST && (
      <Disclosure summary="Earlier texts">
        <TextList texts={texts.slice(NEWEST)} />
      </Disclosure>
    )}
  </>
)

const TextList = ({ texts }: { texts: Texts }) => (
  <ol className={kit.stackSmall}>
    {texts.map(({ id, is_reply, text, state, at }) => (
      <li key={id} className={styles.text} data-reply={is_reply}>
        <p className={styles.words}>{text}</p>
        <p className={`${kit.wrap} ${kit.note} ${styles.about}`}>
          {is_reply ? 'Reply' : 'Text'} · <time dateTime={at}>{formatDateTime(at)}</time>
          {state && <TextStatus state={state} />}
        </p>
      </li>
    ))}
  </ol>
)
