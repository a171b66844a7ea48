import { Button } from '@mantine/core'
import type { FamilyQuestion } from '@tatami/contract/import'
import { useId, useState } from 'react'
import { pluralize } from '../lib/text.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import { SideBySide } from './side-by-side.tsx'

const FIRST_SHOWN = 5
const LABELS = ['Students', 'Guardian', 'Email', 'Phone']
type Answer = 'apart' | 'one'

/** Rows that share an address or a parent's name while something speaks against their being one family. They stay apart until somebody says so. */
export function FamilyQuestions({ sheet, plan }: Pick<ReviewProps, 'sheet' | 'plan'>) {
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
            onAnswer={(isOne) => sheet.setFamily(question.id, isOne)}
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

type QuestionProps = { question: FamilyQuestion; onAnswer: (isOne: boolean) => void }

function Question({ question, onAnswer }: QuestionProps) {
  const heading = useId()
  const { sides, is_one } = question
  const words = wordsOf(question)
  const choices: { value: Answer; label: string }[] = [
    { value: 'apart', label: words.apart },
    { value: 'one', label: words.one },
  ]
  return (
    <li className={styles.question} aria-labelledby={heading}>
      <h3 id={heading}>{words.question}</h3>
      <SideBySide
        caption={words.question}
        labels={LABELS}
        sides={sides.map((side) => ({
          title: titleOf(side),
          facts: {
            Students: studentsOf(side),
            Guardian: side.guardians,
            Email: side.emails,
            Phone: side.phones,
          },
        }))}
      />
      <ChoiceBar
        label={words.question}
        choices={choices}
        value={is_one ? 'one' : 'apart'}
        onChange={(answer) => onAnswer(answer === 'one')}
      />
    </li>
  )
}

function wordsOf({ about, sides }: FamilyQuestion) {
  if (about === 'family') {
    const email = sides.flatMap(({ emails }) => emails)[0] ?? 'one address'
    return {
      question: `Same family? They share ${email}`,
      apart: 'Keep separate',
      one: 'Same family',
    }
  }
  const name = sides.flatMap(({ guardians }) => guardians)[0] ?? 'one name'
  return {
    question: `Is “${name}” the same person?`,
    apart: sides.length === 2 ? 'Two people' : 'Different people',
    one: 'Same person',
  }
}

/** Of those in the sheet and those of the school it is said who is here. */
function studentsOf({ rows, students, students_here }: FamilyQuestion['sides'][number]): string[] {
  if (rows.length === 0) return students
  return students.map((name) => (students_here.includes(name) ? `${name} (here already)` : name))
}

const MANY_ROWS = 3
function titleOf({ rows, is_here, students_here }: FamilyQuestion['sides'][number]): string {
  const numbers = rows.slice(0, MANY_ROWS).map((row) => String(row + 1))
  const more = rows.length > MANY_ROWS ? [`${rows.length - MANY_ROWS} more`] : []
  const inSheet = `${rows.length === 1 ? 'Row' : 'Rows'} ${new Intl.ListFormat('en').format([...numbers, ...more])}`
  // Beside students of the sheet, those who are here are marked by name.
  if (!is_here || (rows.length > 0 && students_here.length > 0)) return inSheet
  return rows.length === 0 ? 'Already in your school' : `Already in your school, ${inSheet}`
}
