import { Button } from '@mantine/core'
import type { ImportDuplicate, PersonDetails } from '@tatami/contract/import/import-plan'
import type { DuplicateChoice } from '@tatami/contract/import/import-form'
import { firstName } from '@tatami/contract/lib/name-parts'
import { useId } from 'react'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { Panel } from '../ui/panel.tsx'
import { FoldedList } from './folded-list.tsx'
import styles from './import-students.module.css'
import { getRowName, type ReviewProps } from './review.ts'
import { SideBySide } from './side-by-side.tsx'
import kit from '../ui/kit.module.css'

const CHOICE_LABELS: Record<DuplicateChoice, string> = {
  add: 'Two people',
  update: 'Same person',
  skip: 'Skip',
}
const ALL_CHOICE_LABELS: Record<DuplicateChoice, string> = {
  add: 'All: two people',
  update: 'All: same person',
  skip: 'All: skip',
}
const CHOICE_ORDER = ['add', 'update', 'skip'] as const satisfies DuplicateChoice[]
const CHOICES = CHOICE_ORDER.map((value) => ({ value, label: CHOICE_LABELS[value] }))
const FORMER_CHOICES = CHOICES.map((choice) =>
  choice.value === 'update' ? { ...choice, label: 'Re-enroll' } : choice,
)
/** A row about somebody who left never changes an existing student. */
const FORMER_ROW_CHOICES = CHOICES.filter(({ value }) => value !== 'update')
const DETAIL_LABELS = ['Name', 'Birthday', 'Phone', 'Email', 'Guardian', 'Guardian’s phone']

export function Duplicates({ sheet, state, plan }: ReviewProps) {
  const skippedRows = Object.entries(state.duplicateChoices).flatMap(([row, choice]) =>
    choice === 'skip' ? [Number(row)] : [],
  )
  const { duplicates } = plan
  if (duplicates.length === 0 && skippedRows.length === 0) return null
  return (
    <Panel title={describeMatches(duplicates).title}>
      {duplicates.length > 0 && <p className={kit.muted}>{summarize(duplicates)}</p>}
      {duplicates.length > 1 && (
        <div className={kit.row}>
          {CHOICE_ORDER.map((choice) => (
            <Button
              key={choice}
              variant="default"
              onClick={() => sheet.setChoices(listRowsToAnswer(duplicates, choice), choice)}
            >
              {ALL_CHOICE_LABELS[choice]}
            </Button>
          ))}
        </div>
      )}
      <FoldedList items={duplicates} className={styles.questions}>
        {(duplicate) => (
          <Duplicate
            key={duplicate.row}
            duplicate={duplicate}
            name={getRowName(duplicate.row, state)}
            onChoice={(choice) => sheet.setChoices([duplicate.row], choice)}
          />
        )}
      </FoldedList>
      {skippedRows.length > 0 && (
        <div className={`${kit.spread} ${styles.choiceRow}`}>
          <span>{`You skipped ${pluralize(skippedRows.length, 'row')}`}</span>
          <Button variant="default" onClick={() => sheet.setChoices(skippedRows, null)}>
            Undo
          </Button>
        </div>
      )}
    </Panel>
  )
}

/** “All: same person” skips people who left, because each of them needs a separate answer. */
function listRowsToAnswer(duplicates: readonly ImportDuplicate[], choice: DuplicateChoice) {
  const isIncluded = ({ left_on, is_former }: ImportDuplicate) =>
    choice !== 'update' || (left_on === null && !is_former)
  return duplicates.filter(isIncluded).map(({ row }) => row)
}

function describeMatches(duplicates: readonly ImportDuplicate[]) {
  const existingCount = duplicates.filter(({ student_id }) => student_id !== null).length
  if (existingCount === duplicates.length)
    return { title: 'Already in your school?', location: 'you already have' }
  if (existingCount === 0) return { title: 'Twice in this list?', location: 'earlier in this list' }
  return {
    title: 'Already in your school, or twice in this list?',
    location: 'you already have, or earlier in this list',
  }
}

function summarize(duplicates: readonly ImportDuplicate[]): string {
  const countChoices = (countedChoice: DuplicateChoice) =>
    duplicates.filter(({ choice }) => choice === countedChoice).length
  const sameCount = countChoices('update')
  const skippedCount = countChoices('skip')
  const subject = duplicates.length === 1 ? '1 row looks' : `${duplicates.length} rows look`
  const firstSentence = `${subject} like someone ${describeMatches(duplicates).location}.`
  const sameText = `${sameCount} ${sameCount === 1 ? 'counts' : 'count'} as the same person`
  const skippedText =
    skippedCount === 1 ? 'row about someone who left is' : 'rows about people who left are'
  return joinNonEmpty(
    [
      firstSentence,
      sameCount + skippedCount === 0 &&
        'Unless you choose “Same person”, they’ll be added as new students.',
      sameCount > 0 && `${sameText}: empty fields are filled in, and nothing is overwritten.`,
      skippedCount > 0 && `${skippedCount} ${skippedText} skipped.`,
    ],
    ' ',
  )
}

type DuplicateProps = {
  duplicate: ImportDuplicate
  name: string
  onChoice: (choice: DuplicateChoice) => void
}

function Duplicate({ duplicate, name, onChoice }: DuplicateProps) {
  const headingId = useId()
  const { row, choice, row_facts, other_facts } = duplicate
  return (
    <li className={`${kit.stackTight} ${styles.question}`} aria-labelledby={headingId}>
      <h3 id={headingId}>{formatQuestion(name, duplicate)}</h3>
      <SideBySide
        caption={`${name} compared with ${duplicate.name}`}
        labels={DETAIL_LABELS}
        sides={[
          { title: `Row ${row + 1}`, cells: toCells(row_facts) },
          {
            title: describeMatch(duplicate),
            cells: toCells(other_facts),
          },
        ]}
      />
      <ChoiceBar
        label={formatQuestion(name, duplicate)}
        choices={listChoices(duplicate)}
        value={choice}
        onChange={onChoice}
      />
    </li>
  )
}

function listChoices({ left_on, is_former }: ImportDuplicate) {
  if (is_former) return FORMER_ROW_CHOICES
  return left_on === null ? CHOICES : FORMER_CHOICES
}

function describeMatch({ same_as_row, left_on }: ImportDuplicate): string {
  if (same_as_row !== null) return `Row ${same_as_row + 1}`
  return left_on === null ? 'Already in your school' : `Left ${formatDate(left_on)}`
}

function formatQuestion(name: string, duplicate: ImportDuplicate): string {
  const { name: otherName, same_as_row, left_on, is_former } = duplicate
  if (left_on !== null && !is_former)
    return `${otherName} left on ${formatDate(left_on)}. Re-enroll ${firstName(otherName)}?`
  if (name !== otherName) return `Are ${name} and ${otherName} the same person?`
  const location = same_as_row === null ? 'already in your school' : `in row ${same_as_row + 1}`
  return `Is ${name} the same person as the ${name} ${location}?`
}

const toCells = (person: PersonDetails) => ({
  Name: [person.name],
  Birthday: person.date_of_birth === null ? [] : [formatDate(person.date_of_birth)],
  Phone: person.phone === null ? [] : [person.phone],
  Email: person.emails,
  Guardian: person.guardians,
  'Guardian’s phone': person.guardian_phones,
})
