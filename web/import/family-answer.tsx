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
  // An existing student with the address belongs to the family.
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
      tick: 'Check everyone in the same family',
    }
  }
  const name = sides.flatMap(({ guardians }) => guardians)[0] ?? 'one name'
  return {
    question: `Is “${name}” the same person?`,
    apart: 'Two people',
    one: 'Same person',
    tick: `Check everyone with the same “${name}”`,
  }
}

/** Marks existing students if the side has rows of the sheet, too. */
export function studentsOfSide({ rows, students, students_here }: Side): string[] {
  if (rows.length === 0) return students
  return students.map((name) => (students_here.includes(name) ? `${name} (here already)` : name))
}

const MANY_ROWS = 3
export function sideTitle({ rows, is_here, students_here }: Side): string {
  const numbers = rows.slice(0, MANY_ROWS).map((row) => String(row + 1))
  const overflow = rows.length > MANY_ROWS ? [`${rows.length - MANY_ROWS} more`] : []
  const rowList = new Intl.ListFormat('en').format([...numbers, ...overflow])
  const inSheet = `${rows.length === 1 ? 'Row' : 'Rows'} ${rowList}`
  if (!is_here || (rows.length > 0 && students_here.length > 0)) return inSheet
  return rows.length === 0 ? 'Already in your school' : `Already in your school, ${inSheet}`
}
