import { Checkbox, Stack } from '@mantine/core'
import type { FamilyQuestion } from '@tatami/contract/import/import-plan'
import { ChoiceBar } from '../ui/choice-bar.tsx'

/** A side is one of the families, or one of the guardians, that may be the same. */
type Side = FamilyQuestion['sides'][number]
type Answer = 'separate' | 'together'
type Props = {
  question: FamilyQuestion
  joinedSides: readonly number[]
  onAnswer: (sides: number[]) => void
}

export const FamilyAnswer = (props: Props) =>
  props.question.sides.length === 2 ? <TwoSideChoice {...props} /> : <SideCheckboxes {...props} />

function TwoSideChoice({ question, joinedSides, onAnswer }: Props) {
  const labels = getQuestionLabels(question)
  const choices: { value: Answer; label: string }[] = [
    { value: 'separate', label: labels.separate },
    { value: 'together', label: labels.together },
  ]
  return (
    <ChoiceBar
      label={labels.question}
      choices={choices}
      value={joinedSides.length > 1 ? 'together' : 'separate'}
      onChange={(answer) => onAnswer(answer === 'together' ? [0, 1] : [])}
    />
  )
}

function SideCheckboxes({ question, joinedSides, onAnswer }: Props) {
  const { about, sides } = question
  const labels = getQuestionLabels(question)
  // Families that are already in the school share the email address and cannot be unchecked.
  const lockedSides = [...sides.keys()].filter(
    (index) => about === 'family' && sides[index]?.is_here,
  )
  const checkedSides = [...new Set([...lockedSides, ...joinedSides])]
  const setChecked = (values: string[]) => {
    const otherSides = values.map(Number).filter((index) => !lockedSides.includes(index))
    onAnswer(otherSides.length > 0 ? [...lockedSides, ...otherSides] : [])
  }
  return (
    <Checkbox.Group
      label={labels.checkLabel}
      description="At least two. The others stay separate."
      size="md"
      value={checkedSides.map(String)}
      onChange={setChecked}
    >
      <Stack gap="xs" mt="xs">
        {sides.map((side, index) => (
          <Checkbox
            key={index}
            value={String(index)}
            label={`${describeSide(side)}: ${listStudents(side).join(', ')}`}
            disabled={lockedSides.includes(index)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

export function getQuestionLabels({ about, sides }: FamilyQuestion) {
  if (about === 'family') {
    const email = sides.flatMap(({ emails }) => emails)[0] ?? 'the same email address'
    return {
      question: `Same family? They share ${email}`,
      separate: 'Keep separate',
      together: 'Same family',
      checkLabel: 'Check everyone in the same family',
    }
  }
  const name = sides.flatMap(({ guardians }) => guardians)[0] ?? 'the guardian'
  return {
    question: `Is “${name}” the same person?`,
    separate: 'Two people',
    together: 'Same person',
    checkLabel: `Check everyone with the same “${name}”`,
  }
}

/** Lists the students of a side. If it has rows in the sheet, students of the school are
 *  labeled. */
export function listStudents({ rows, students, students_here }: Side): string[] {
  if (rows.length === 0) return students
  return students.map((name) =>
    students_here.includes(name) ? `${name} (already in your school)` : name,
  )
}

const MAX_LISTED_ROWS = 3
export function describeSide({ rows, is_here, students_here }: Side): string {
  const numbers = rows.slice(0, MAX_LISTED_ROWS).map((row) => String(row + 1))
  const hiddenCountText =
    rows.length > MAX_LISTED_ROWS ? [`${rows.length - MAX_LISTED_ROWS} more`] : []
  const rowList = new Intl.ListFormat('en').format([...numbers, ...hiddenCountText])
  const rowLabel = `${rows.length === 1 ? 'Row' : 'Rows'} ${rowList}`
  // `listStudents` already labels the existing students of such a side.
  if (!is_here || (rows.length > 0 && students_here.length > 0)) return rowLabel
  return rows.length === 0 ? 'Already in your school' : `Already in your school, ${rowLabel}`
}
