import type { FamilyQuestion } from '@tatami/contract/import/import-plan'
import { useId } from 'react'
import { pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { FamilyAnswer, describeSide, listStudents, getQuestionLabels } from './family-answer.tsx'
import { FoldedList } from './folded-list.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import { SideBySide } from './side-by-side.tsx'
import kit from '../ui/kit.module.css'

const DETAIL_LABELS = ['Students', 'Guardian', 'Email', 'Phone']

export function FamilyQuestions({ sheet, state, plan }: ReviewProps) {
  const questions = plan.family_questions
  if (questions.length === 0) return null
  return (
    <Panel title="Same family?">
      <p className={kit.muted}>
        {pluralize(questions.length, 'question')}. Until you answer, we keep them separate, so no
        parent sees or gets texts about someone else’s child.
      </p>
      <FoldedList items={questions} className={styles.questions}>
        {(question) => (
          <Question
            key={question.id}
            question={question}
            joinedSides={state.sidesByQuestion[question.id] ?? question.joined_sides}
            onAnswer={(sides) => sheet.setJoinedSides(question.id, sides)}
          />
        )}
      </FoldedList>
    </Panel>
  )
}

type QuestionProps = {
  question: FamilyQuestion
  joinedSides: readonly number[]
  onAnswer: (sides: number[]) => void
}

function Question({ question, joinedSides, onAnswer }: QuestionProps) {
  const headingId = useId()
  const labels = getQuestionLabels(question)
  return (
    <li className={`${kit.stackTight} ${styles.question}`} aria-labelledby={headingId}>
      <h3 id={headingId}>{labels.question}</h3>
      <SideBySide
        caption={labels.question}
        labels={DETAIL_LABELS}
        sides={question.sides.map((side) => ({
          title: describeSide(side),
          cells: {
            Students: listStudents(side),
            Guardian: side.guardians,
            Email: side.emails,
            Phone: side.phones,
          },
        }))}
      />
      <FamilyAnswer question={question} joinedSides={joinedSides} onAnswer={onAnswer} />
    </li>
  )
}
