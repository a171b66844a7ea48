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
import { type ComparedColumn, SideBySide } from './side-by-side.tsx'
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
/** For rows that match a former student. */
const REENROLL_CHOICES = CHOICES.map((choice) =>
  choice.value === 'update' ? { ...choice, label: 'Re-enroll' } : choice,
)
/** For rows that list a former student: these never change an existing student. */
const CHOICES_WITHOUT_UPDATE = CHOICES.filter(({ value }) => value !== 'update')
const DETAIL_LABELS = ['Name', 'Birthday', 'Phone', 'Email', 'Guardian', 'Guardian’s phone']

export function Duplicates({ sheet, state, plan }: ReviewProps) {
  const rowsToSkip = Object.entries(state.duplicateChoices)
    .filter(([, choice]) => choice === 'skip')
    .map(([row]) => Number(row))
  const { duplicates } = plan
  if (duplicates.length === 0 && rowsToSkip.length === 0) return null
  return (
    <Panel title={describeMatchLocation(duplicates).title}>
      {duplicates.length > 0 && <p className={kit.muted}>{summarizeDuplicates(duplicates)}</p>}
      {duplicates.length > 1 && (
        <div className={kit.row}>
          {CHOICE_ORDER.map((choice) => (
            <Button
              key={choice}
              variant="default"
              onClick={() => sheet.setChoices(listRowsForBulkChoice(duplicates, choice), choice)}
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
            nameInRow={getRowName(duplicate.row, state)}
            onChoice={(choice) => sheet.setChoices([duplicate.row], choice)}
          />
        )}
      </FoldedList>
      {rowsToSkip.length > 0 && (
        <div className={`${kit.spread} ${styles.choiceRow}`}>
          <span>{`You skipped ${pluralize(rowsToSkip.length, 'row')}`}</span>
          <Button variant="default" onClick={() => sheet.setChoices(rowsToSkip, null)}>
            Undo
          </Button>
        </div>
      )}
    </Panel>
  )
}

/** “All: same person” leaves out former students, because each needs a separate answer. */
function listRowsForBulkChoice(duplicates: readonly ImportDuplicate[], choice: DuplicateChoice) {
  const includedDuplicates =
    choice === 'update'
      ? duplicates.filter(({ left_on, is_former }) => left_on === null && !is_former)
      : duplicates
  return includedDuplicates.map(({ row }) => row)
}

function describeMatchLocation(duplicates: readonly ImportDuplicate[]) {
  const existingCount = duplicates.filter(({ student_id }) => student_id !== null).length
  if (existingCount === duplicates.length)
    return { title: 'Already in your school?', location: 'you already have' }
  if (existingCount === 0) return { title: 'Twice in this list?', location: 'earlier in this list' }
  return {
    title: 'Already in your school, or twice in this list?',
    location: 'you already have, or earlier in this list',
  }
}

function summarizeDuplicates(duplicates: readonly ImportDuplicate[]): string {
  const sameCount = duplicates.filter(({ choice }) => choice === 'update').length
  const skippedCount = duplicates.filter(({ choice }) => choice === 'skip').length
  const subject = duplicates.length === 1 ? '1 row looks' : `${duplicates.length} rows look`
  const firstSentence = `${subject} like someone ${describeMatchLocation(duplicates).location}.`
  const sameText = `${sameCount} ${sameCount === 1 ? 'is' : 'are'} treated as the same person`
  const skippedText =
    skippedCount === 1
      ? '1 row lists a former student and will be skipped.'
      : `${skippedCount} rows list former students and will be skipped.`
  return joinNonEmpty(
    [
      firstSentence,
      sameCount + skippedCount === 0 &&
        'Unless you choose “Same person”, they’ll be added as new students.',
      sameCount > 0 && `${sameText}: empty fields are filled in, and nothing is overwritten.`,
      skippedCount > 0 && skippedText,
    ],
    ' ',
  )
}

type DuplicateProps = {
  duplicate: ImportDuplicate
  nameInRow: string
  onChoice: (choice: DuplicateChoice) => void
}

function Duplicate({ duplicate, nameInRow, onChoice }: DuplicateProps) {
  const headingId = useId()
  const question = formatQuestion(nameInRow, duplicate)
  return (
    <li className={`${kit.stackTight} ${styles.question}`} aria-labelledby={headingId}>
      <h3 id={headingId}>{question}</h3>
      <SideBySide
        caption={`${nameInRow} compared with ${duplicate.name}`}
        labels={DETAIL_LABELS}
        sides={[
          { title: `Row ${duplicate.row + 1}`, cells: toCells(duplicate.row_facts) },
          { title: describeMatch(duplicate), cells: toCells(duplicate.other_facts) },
        ]}
      />
      <ChoiceBar
        label={question}
        choices={listChoices(duplicate)}
        value={duplicate.choice}
        onChange={onChoice}
      />
    </li>
  )
}

function listChoices({ left_on, is_former }: ImportDuplicate) {
  if (is_former) return CHOICES_WITHOUT_UPDATE
  return left_on === null ? CHOICES : REENROLL_CHOICES
}

function describeMatch({ same_as_row, left_on }: ImportDuplicate): string {
  if (same_as_row !== null) return `Row ${same_as_row + 1}`
  return left_on === null ? 'Already in your school' : `Left ${formatDate(left_on)}`
}

function formatQuestion(nameInRow: string, duplicate: ImportDuplicate): string {
  const { same_as_row, left_on, is_former } = duplicate
  const otherName = duplicate.name
  if (left_on !== null && !is_former)
    return `${otherName} left on ${formatDate(left_on)}. Re-enroll ${firstName(otherName)}?`
  if (nameInRow !== otherName) return `Are ${nameInRow} and ${otherName} the same person?`
  const location = same_as_row === null ? 'already in your school' : `in row ${same_as_row + 1}`
  return `Is ${nameInRow} the same person as the ${nameInRow} ${location}?`
}

const toCells = (person: PersonDetails): ComparedColumn['cells'] => ({
  Name: [person.name],
  Birthday: person.date_of_birth === null ? [] : [formatDate(person.date_of_birth)],
  Phone: person.phone === null ? [] : [person.phone],
  Email: person.emails,
  Guardian: person.guardians,
  'Guardian’s phone': person.guardian_phones,
})
