import { Button } from '@mantine/core'
import { IconCheck, IconClock, IconCloudOff, IconX } from '@tabler/icons-react'
import { type MouseEvent, useId, useRef } from 'react'
import type { ClassEntry } from '@tatami/contract/plans/class-entries'
import type { MarkValue } from '@tatami/contract/attendance/attendance'
import { UnsignedMark } from '../documents/unsigned-mark.tsx'
import { FirstWeekBadge } from '../followups/first-week-badge.tsx'
import { LayoutLink } from '../lib/layout-link.tsx'
import { joinNonEmpty } from '../lib/text.ts'
import { SellButton } from '../plans/sell-classes.tsx'
import { MedicalMark } from './medical-mark.tsx'
import { Face } from '../ui/face.tsx'
import { rankName } from '../ui/rank-name.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { describeExcuse, useExcuse, useUndoExcuse } from './excuses.ts'
import { marks } from './marks.ts'
import styles from './roll-list.module.css'
import type { ServerMark } from './pending-marks.ts'
import type { RollRow } from './roll.ts'
import { handleRollKey, useRollKeys } from './roll-keys.ts'
import type { Roll } from './use-roll.ts'
import kit from '../ui/kit.module.css'

const ROLL_KEYS_HINT = 'Press P or A to mark a student and go to the next one.'

type Props = {
  roll: Roll
  hasSelection: boolean
  hasClasses: boolean
  onLinkClick: (event: MouseEvent) => void
}

export function RollList({ roll, hasSelection, hasClasses, onLinkClick }: Props) {
  const { students, records, rows } = roll
  const list = useRef<HTMLUListElement>(null)
  useRollKeys(list)
  if (students.data?.length === 0) {
    return (
      <EmptyState
        action={
          <Button component={LayoutLink} to="/students" variant="default">
            Student Center
          </Button>
        }
      >
        No students found. Please add students first.
      </EmptyState>
    )
  }
  if (!hasSelection)
    return hasClasses && <EmptyState>Please select a class to see enrolled students.</EmptyState>
  const failedQuery = [students, records].find(({ isUnavailable }) => isUnavailable)
  if (failedQuery)
    return <ErrorNotice onRetry={failedQuery.retry}>The students could not be loaded.</ErrorNotice>
  if (!rows) return <Skeletons count={6} height={64} label="Loading" />
  return (
    <>
      {rows.every(({ isDropIn }) => isDropIn) && (
        <EmptyState>No students enrolled in this class.</EmptyState>
      )}
      <p className={`${kit.note} ${styles.hint}`}>{ROLL_KEYS_HINT}</p>
      {roll.markerNames.length > 0 && (
        <p className={kit.note}>Marked by {roll.markerNames.join(', ')}</p>
      )}
      <ul ref={list}>
        {rows.map((row) => (
          <RollListRow
            key={row.student.id}
            row={row}
            entry={roll.entries.get(row.student.id)}
            hasNamesake={rows.some(
              ({ student }) => student.id !== row.student.id && student.name === row.student.name,
            )}
            onMark={(present) => roll.mark([{ target: row.target, present }])}
            onLinkClick={onLinkClick}
          />
        ))}
      </ul>
    </>
  )
}

/** Excusing needs a network, so it is hidden while a mark waits for the network. It is also hidden
 *  while a mark is being saved, because "Saving…" needs its space. */
const isExcuseShown = ({ present, excuse, isWaiting, isSaving }: RollRow) =>
  present !== true && (excuse !== undefined || (present === false && !isWaiting && !isSaving))

type ExcuseStateProps = { row: RollRow; hasTextBefore: boolean }

function ExcuseState({ row: { target, student, excuse }, hasTextBefore }: ExcuseStateProps) {
  const excuseMutation = useExcuse()
  const undoMutation = useUndoExcuse()
  const { student_id, class_id, day: class_date } = target
  const isBusy = excuseMutation.isPending || undoMutation.isPending
  const renderButton = (label: string, onClick: () => void) => (
    <button
      type="button"
      className={`${kit.bareButton} ${styles.link}`}
      aria-label={`${label}: ${student.name}`}
      disabled={isBusy}
      onClick={onClick}
    >
      {label}
    </button>
  )
  const addExcuse = () => excuseMutation.mutate({ body: { student_id, class_id, class_date } })
  const removeExcuse = () => undoMutation.mutate({ query: { student_id, class_id, class_date } })
  return (
    <>
      {hasTextBefore && ' · '}
      {excuse && <span className={`${kit.strong} ${kit.blue}`}>{describeExcuse(excuse)}</span>}
      {excuse ? <> {renderButton('Undo', removeExcuse)}</> : renderButton('Excuse', addExcuse)}
      {(excuseMutation.isError || undoMutation.isError) && (
        <span className={styles.failure}> Not saved.</span>
      )}
    </>
  )
}

const MARK_VALUES = [
  { name: 'absent', label: 'Absent', present: false, Icon: IconX },
  { name: 'present', label: 'Present', present: true, Icon: IconCheck },
  { name: 'unmarked', label: 'Not marked', present: null, Icon: undefined },
] as const
const findMarkValue = (present: MarkValue) =>
  MARK_VALUES.find((value) => value.present === present) ?? MARK_VALUES[2]

type ConflictProps = {
  ownValue: MarkValue
  otherMark: ServerMark
  onMark: (present: MarkValue) => void
}

const ConflictButtons = ({ ownValue, otherMark, onMark }: ConflictProps) =>
  [
    { source: 'You', ...findMarkValue(ownValue) },
    { source: otherMark.isCheckIn ? 'Kiosk' : 'Elsewhere', ...findMarkValue(otherMark.present) },
  ].map(({ source, name, label, present, Icon }) => (
    <button key={source} type="button" value={name} onClick={() => onMark(present)}>
      {Icon && <Icon size={18} stroke={2.5} aria-hidden />}
      {source}: {label}
    </button>
  ))

type MarkButtonsProps = { present: MarkValue; onMark: (present: MarkValue) => void }

const MarkButtons = ({ present, onMark }: MarkButtonsProps) => (
  <>
    <button
      type="button"
      value="present"
      aria-pressed={present === true}
      onClick={() => onMark(true)}
      onKeyDown={(event) => handleRollKey(event, onMark)}
    >
      <IconCheck size={18} stroke={2.5} aria-hidden />
      Present
    </button>
    <button
      type="button"
      value="absent"
      aria-pressed={present === false}
      onClick={() => onMark(false)}
      onKeyDown={(event) => handleRollKey(event, onMark)}
    >
      <IconX size={18} stroke={2.5} aria-hidden />
      Absent
    </button>
  </>
)

type MarkStateProps = { row: RollRow; id: string; hasTextBefore: boolean }

function MarkState({
  row: { isSaving, isWaiting, conflictingMark },
  id,
  hasTextBefore,
}: MarkStateProps) {
  const separator = hasTextBefore && ' · '
  if (conflictingMark)
    return (
      <span id={id} className={`${kit.strong} ${kit.orange}`}>
        {separator}
        {conflictingMark.isCheckIn ? 'Checked in at the kiosk.' : 'Also marked elsewhere.'} Which is
        right?
      </span>
    )
  if (isWaiting)
    return (
      <span id={id} className={styles.waiting}>
        {separator}
        <IconClock size={16} aria-hidden /> Waiting
        <span className={styles.hiddenIfNarrow}> for network</span>
      </span>
    )
  return isSaving && <span className={styles.saving}>{separator}Saving…</span>
}

const removePeriod = (reason: string) => reason.replace(/\.$/, '')

type RollListRowProps = {
  row: RollRow
  entry: ClassEntry | undefined
  /** Shows the belt to tell students with the same name apart. */
  hasNamesake: boolean
  onMark: (present: MarkValue) => void
} & Pick<Props, 'onLinkClick'>

function RollListRow({ row, entry, hasNamesake, onMark, onLinkClick }: RollListRowProps) {
  const { student, present, isDropIn, isGuest, unsaved, conflictingMark } = row
  const stateId = useId()
  const description = joinNonEmpty(
    [
      hasNamesake && rankName(student.rank, student.belt_level),
      isDropIn && 'Drop-in',
      isGuest && 'Guest',
      student.on_vacation && 'On vacation',
    ],
    ' · ',
  )
  const isDescribed = unsaved !== undefined || conflictingMark !== undefined || row.isWaiting
  return (
    <li className={styles.row} data-unsaved={unsaved !== undefined || row.isWaiting}>
      <Face student={student} size={36} />
      {unsaved ? (
        <RetryButton id={stateId} name={student.name} unsaved={unsaved} />
      ) : (
        <StudentName
          row={row}
          id={stateId}
          description={description}
          entry={entry}
          onLinkClick={onLinkClick}
        />
      )}
      {unsaved && student.has_medical_note && <MedicalMark student={student} />}
      <div
        role="group"
        aria-label={student.name}
        aria-describedby={isDescribed ? stateId : undefined}
        className={styles.choices}
        data-question={conflictingMark !== undefined}
      >
        {conflictingMark ? (
          <ConflictButtons ownValue={present} otherMark={conflictingMark} onMark={onMark} />
        ) : (
          <MarkButtons present={present} onMark={onMark} />
        )}
      </div>
    </li>
  )
}

type RetryButtonProps = { id: string; name: string; unsaved: NonNullable<RollRow['unsaved']> }

const RetryButton = ({ id, name, unsaved: { mark, reason } }: RetryButtonProps) => (
  <button type="button" className={styles.student} onClick={() => void marks.retry(mark)}>
    <span className={styles.name}>{name} </span>
    <span id={id} className={styles.failure}>
      <IconCloudOff size={16} aria-hidden /> Not saved: {removePeriod(reason)}. <u>Try again</u>
    </span>
  </button>
)

/** Shows for example "3rd of 2 this week". A student over the limit can still be marked. */
const EntryText = ({ entry: { words, is_over_limit } }: { entry: ClassEntry }) => (
  <span className={is_over_limit ? `${kit.strong} ${kit.orange}` : undefined}>{words}</span>
)

/** True if the roll shows no plan or class pack that covers this visit. */
function mayNeedClasses(
  { student, isDropIn, isGuest }: RollRow,
  entry: ClassEntry | undefined,
): boolean {
  if (student.on_vacation) return false
  return entry ? entry.is_over_limit : isDropIn || isGuest
}

type StudentNameProps = {
  row: RollRow
  id: string
  description: string
} & Pick<RollListRowProps, 'entry' | 'onLinkClick'>

function StudentName({ row, id, description, entry, onLinkClick }: StudentNameProps) {
  const { student } = row
  const showsExcuse = isExcuseShown(row) && !row.conflictingMark
  const hasTextBefore = description !== '' || entry !== undefined
  return (
    <div className={styles.student}>
      <span className={`${kit.line} ${styles.nameAndNote}`}>
        <StudentLink id={student.id} className={styles.name} onClick={onLinkClick}>
          {student.name}
        </StudentLink>
        {student.has_medical_note && <MedicalMark student={student} />}
        <FirstWeekBadge studentId={student.id} />
        <UnsignedMark student={student} />
      </span>
      <span className={styles.details}>
        {description}
        {description !== '' && entry && ' · '}
        {entry && <EntryText entry={entry} />}
        {mayNeedClasses(row, entry) && <SellButton student={student} className={styles.sell} />}
        {showsExcuse && <ExcuseState row={row} hasTextBefore={hasTextBefore} />}
        <MarkState row={row} id={id} hasTextBefore={hasTextBefore || showsExcuse} />
      </span>
    </div>
  )
}
