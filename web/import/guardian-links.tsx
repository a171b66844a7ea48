import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { useId } from 'react'
import { formatPhone, joinNonEmpty } from '../lib/text.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { Panel } from '../ui/panel.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { FoldedList } from './folded-list.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import type { ImportSheet } from './use-import-sheet.ts'
import kit from '../ui/kit.module.css'

const CHOICES = [
  { value: 'leave', label: 'Don’t add' },
  { value: 'add', label: 'Add' },
] as const

export function GuardianLinks({ sheet, plan }: Omit<ReviewProps, 'state'>) {
  const { guardian_questions, added_links, ended_links } = plan
  if (guardian_questions.length + added_links.length + ended_links.length === 0) return null
  return (
    <Panel title="Guardians of students you already have">
      <FoldedList items={guardian_questions} className={styles.questions}>
        {(question) => <Question key={question.id} question={question} sheet={sheet} />}
      </FoldedList>
      <FoldedList items={ended_links} className={styles.names}>
        {({ guardian, student, student_id }) => (
          <li key={`${guardian} ${student_id}`}>
            {`${guardian} is in the list but no longer linked to ${student}. `}
            To link them again, open{' '}
            <StudentLink id={student_id} isInText>
              {student}
            </StudentLink>
            .
          </li>
        )}
      </FoldedList>
      <FoldedList items={added_links} className={styles.names}>
        {({ guardian, student, student_id }) => (
          <li key={`${guardian} ${student_id}`}>
            {guardian} will become a guardian of {student}
          </li>
        )}
      </FoldedList>
    </Panel>
  )
}

type QuestionProps = { question: ImportPlan['guardian_questions'][number]; sheet: ImportSheet }

function Question({ question, sheet }: QuestionProps) {
  const headingId = useId()
  const { id, guardian, email, phone, students, is_added } = question
  const names = new Intl.ListFormat('en').format(students)
  const title = `Add ${guardian} as a guardian of ${names}?`
  const contactDetails = joinNonEmpty([email, phone && formatPhone(phone)])
  return (
    <li className={`${kit.stackTight} ${styles.question}`} aria-labelledby={headingId}>
      <h3 id={headingId}>{title}</h3>
      <p className={kit.muted}>
        {`A guardian of ${names} was deleted. `}
        {joinNonEmpty(['This may be the same person', contactDetails], ': ')}.
      </p>
      <ChoiceBar
        label={title}
        choices={CHOICES}
        value={is_added ? 'add' : 'leave'}
        onChange={(choice) => sheet.setGuardianAdded(id, choice === 'add')}
      />
    </li>
  )
}
