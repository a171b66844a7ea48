import { Checkbox, Stack } from '@mantine/core'
import type { FamilyQuestion } from '@tatami/contract/import/import-plan'
import { ChoiceBar } from '../ui/choice-bar.tsx'

type Side = FamilyQuestion['sides'][number]
type Answer = 'apart' | 'one'
type Props = {
  question: FamilyQuestion
  joinedSides: readonly number[]
  onAnswer: (sides: number[]) => void
}

/** Whether two sides are one, or which of several are. */
export const FamilyAnswer = (props: Props) =>
  props.question.sides.length === 2 ? <OneOrApart {...props} /> : <SideTicks {...props} />

function OneOrApart({ question, joinedSides, onAnswer }: Props) {
  const words = wordsOf(question)
  const choices: { value: Answer; label: string }[] = [
    { value: 'apart', label: words.apart },
    { value: 'one', label: words.one },
  ]
  return (
    <ChoiceBar
      label={words.question}
      choices={choices}
      value={joinedSides.length > 1 ? 'one' : 'apart'}
      onChange={(answer) => onAnswer(answer === 'one' ? [0, 1] : [])}
    />
  )
}

function SideTicks({ question, joinedSides, onAnswer }: Props) {
  const { about, sides } = question
  const words = wordsOf(question)
  // Whoever of the school has the address belongs to those who share it.
  const owners = [...sides.keys()].filter((side) => about === 'family' && sides[side]?.is_here)
  const tickedSides = [...new Set([...owners, ...joinedSides])]
  const setTicked = (values: string[]) => {
    const otherSides = values.map(Number).filter((side) => !owners.includes(side))
    onAnswer(otherSides.length > 0 ? [...owners, ...otherSides] : [])
  }
  return (
    <Checkbox.Group
      label={words.tick}
      description="At least two. The others stay separate."
      size="md"
      value={tickedSides.map(String)}
      onChange={setTicked}
    >
      <Stack gap="xs" mt="xs">
        {sides.map((side, index) => (
          <Checkbox
            key={index}
            value={String(index)}
            label={`${sideTitle(side)}: ${studentsOfSide(side).join(', ')}`}
            disabled={owners.includes(index)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

export function wordsOf({ about, sides }: FamilyQuestion) {
  if (about === 'family') {
    const email = sides.flatMap(({ emails }) => emails)[0] ?? 'one address'
    return {
      question: `Same family? They share ${email}`,
      apart: 'Keep separate',
      one: 'Same family',
      tick: 'Tick those who are one family',
    }
  }
  const name = sides.flatMap(({ guardians }) => guardians)[0] ?? 'one name'
  return {
    question: `Is “${name}” the same person?`,
    apart: 'Two people',
    one: 'Same person',
    tick: `Tick those whose “${name}” is the same person`,
  }
}

/** Of those in the sheet and those of the school it is said who is here. */
export function studentsOfSide({ rows, students, students_here }: Side): string[] {
  if (rows.length === 0) return students
  return students.map((name) => (students_here.includes(name) ? `${name} (here already)` : name))
}

const MANY_ROWS = 3
export function sideTitle({ rows, is_here, students_here }: Side): string {
  const numbers = rows.slice(0, MANY_ROWS).map((row) => String(row + 1))
  const overflow = rows.length > MANY_ROWS ? [`${rows.length - MANY_ROWS} more`] : []
  const inSheet = `${rows.length === 1 ? 'Row' : 'Rows'} ${new Intl.ListFormat('en').format([...numbers, ...overflow])}`
  // Beside students of the sheet, those who are here are marked by name.
  if (!is_here || (rows.length > 0 && students_here.length > 0)) return inSheet
  return rows.length === 0 ? 'Already in your school' : `Already in your school, ${inSheet}`
}
