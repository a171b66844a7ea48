import type { StudentPage } from '@tatami/contract/students/students'
import { formatDateTime } from '../lib/dates.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { TextStatus } from '../texting/delivery-progress.tsx'
import styles from './student-texts.module.css'
import kit from '../ui/kit.module.css'

type Texts = StudentPage['texts']

const VISIBLE_TEXTS = 4

export const StudentTexts = ({ texts }: { texts: Texts }) => (
  <>
    {texts.length === 0 ? (
      <p className={kit.muted}>No texts yet.</p>
    ) : (
      <TextList texts={texts.slice(0, VISIBLE_TEXTS)} />
    )}
    {texts.length > VISIBLE_TEXTS && (
      <Disclosure summary="Earlier texts">
        <TextList texts={texts.slice(VISIBLE_TEXTS)} />
      </Disclosure>
    )}
  </>
)

const TextList = ({ texts }: { texts: Texts }) => (
  <ol className={kit.stackSmall}>
    {texts.map(({ id, is_reply, text, state, at }) => (
      <li key={id} className={styles.text} data-reply={is_reply}>
        <p className={styles.body}>{text}</p>
        <p className={`${kit.wrap} ${kit.note} ${styles.details}`}>
          {is_reply ? 'Reply' : 'Text'} · <time dateTime={at}>{formatDateTime(at)}</time>
          {state && <TextStatus state={state} />}
        </p>
      </li>
    ))}
  </ol>
)
