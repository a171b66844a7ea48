import { Button } from '@mantine/core'
import type { FamilyQuestion } from '@tatami/contract/import'
import { useId, useState } from 'react'
import { pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { FamilyAnswer, sideTitle, studentsOfSide, wordsOf } from './family-answer.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import { SideBySide } from './side-by-side.tsx'

const FIRST_SHOWN = 5
const LABELS = ['Students', 'Guardian', 'Email', 'Phone']

/** Rows that share an address or a parent's name while something speaks against their being one family. They stay apart until somebody says so. */
export function FamilyQuestions({ sheet, state, plan }: ReviewProps) {
  const [isAllShown, setIsAllShown] = useState(false)
  const questions = plan.family_questions
  if (questions.length === 0) return null
  const shownQuestions = isAllShown ? questions : questions.slice(0, FIRST_SHOWN)
  return (
    <Panel title="Same family?">
      <p className={styles.dim}>
        {`${pluralize(questions.length, 'question')}. If you don’t answer, we keep them separate, so no parent sees or gets texts about someone else’s child.`}
      </p>
      <ul className={styles.questions}>
        {shownQuestions.map((question) => (
          <Question
            key={question.id}
            question={question}
            // What was ticked shows at once, before the server has answered.
            joinedSides={state.joinedSides[question.id] ?? question.joined_sides}
            onAnswer={(sides) => sheet.setJoinedSides(question.id, sides)}
          />
        ))}
      </ul>
      {shownQuestions.length < questions.length && (
        <Button variant="default" onClick={() => setIsAllShown(true)}>
          {`Show all ${questions.length}`}
        </Button>
      )}
    </Panel>
  )
}

type QuestionProps = {
  question: FamilyQuestion
  joinedSides: readonly number[]
  onAnswer: (sides: number[]) => void
}

function Question({ question, joinedSides, onAnswer }: QuestionProps) {
  const heading = useId()
  const words = wordsOf(question)
  return (
    <li className={styles.question} aria-labelledby={heading}>
      <h3 id={heading}>{words.question}</h3>
      <SideBySide
        caption={words.question}
        labels={LABELS}
        sides={question.sides.map((side) => ({
          title: sideTitle(side),
          facts: {
            Students: studentsOfSide(side),
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
