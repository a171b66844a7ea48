import type { StudentPage } from '@tatami/contract/students'
import { formatDate } from '../lib/dates.ts'
import styles from './student-notes.module.css'
import { phoneStates } from './phone-states.ts'

const yesOrNo = (said: boolean | null) => (said === null ? 'Not noted' : said ? 'Yes' : 'No')

/** What was signed or said about the student's membership and about texts. */
export const StudentDocuments = ({ page: { student, enrolled_on, phones } }: { page: StudentPage }) => (
  <dl className={styles.facts}>
    <div>
      <dt>Enrolled</dt>
      <dd>{formatDate(enrolled_on)}</dd>
    </div>
    <div>
      <dt>Application returned</dt>
      <dd>{yesOrNo(student.app_returned)}</dd>
    </div>
    <div>
      <dt>Texts</dt>
      {phoneStates(student.name, phones).map((state) => (
        <dd key={state}>{state}</dd>
      ))}
    </div>
  </dl>
)
