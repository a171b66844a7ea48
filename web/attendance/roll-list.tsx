import { Button } from '@mantine/core'
import { IconCheck, IconClock, IconCloudOff, IconX } from '@tabler/icons-react'
import { type MouseEvent, useId } from 'react'
import type { MarkValue } from '@tatami/contract/attendance/attendance'
import { moveFocusWithArrows } from '../lib/arrow-focus.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { joinNonEmpty } from '../lib/text.ts'
import { MedicalMark } from './medical-mark.tsx'
import belt from '../ui/row-marks.module.css'
import { rankEdgeStyle, rankName } from '../ui/rank-name.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { excuseWords, useExcuse, useUndoExcuse } from './excuses.ts'
import { marks } from './marks.ts'
import styles from './roll-list.module.css'
import type { ServerMark } from './pending-marks.ts'
import type { Row } from './roll.ts'
import type { Roll } from './use-roll.ts'
import kit from '../ui/kit.module.css'

type Props = {
  roll: Roll
  isChosen: boolean
  canChoose: boolean
  /** Called before a link opens the student's page. */
  onLeave: (event: MouseEvent) => void
}

export function RollList({ roll, isChosen, canChoose, onLeave }: Props) {
  const { students, saved, rows } = roll
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
  if (!isChosen)
    return canChoose && <EmptyState>Please select a class to see enrolled students.</EmptyState>
  const failedQuery = [students, saved].find(({ isUnavailable }) => isUnavailable)
  if (failedQuery)
    return <ErrorNotice onRetry={failedQuery.retry}>The students could not be loaded.</ErrorNotice>
  if (!rows) return <Skeletons count={6} height={64} label="Loading" />
  return (
    <>
      {rows.every(({ isDropIn }) => isDropIn) && (
        <EmptyState>No students enrolled in this class.</EmptyState>
      )}
      <ul>
        {rows.map((row) => (
          <RollRow
            key={row.student.id}
            row={row}
            hasNamesake={rows.some(
              ({ student }) => student.id !== row.student.id && student.name === row.student.name,
            )}
            onMark={(present) => roll.mark([{ target: row.target, present }])}
            onLeave={onLeave}
          />
        ))}
      </ul>
    </>
  )
}

/** True if the row shows an excuse or offers to excuse, which needs a network. */
const hasExcuseState = ({ present, excuse, isWaiting }: Row) =>
  present !== true && (excuse !== undefined || (present === false && !isWaiting))

type ExcuseStateProps = { row: Row; isAfterText: boolean }

function ExcuseState({ row: { target, student, excuse }, isAfterText }: ExcuseStateProps) {
  const excusing = useExcuse(),
    undoing = useUndoExcuse()
  const { student_id, class_id, day: class_date } = target
  const isBusy = excusing.isPending || undoing.isPending
  const button = (words: string, act: () => void) => (
    <button
      type="button"
      className={`${kit.bareButton} ${styles.link}`}
      aria-label={`${words}: ${student.name}`}
      disabled={isBusy}
      onClick={act}
    >
      {words}
    </button>
  )
  const excuseNow = () => excusing.mutate({ body: { student_id, class_id, class_date } })
  const undo = () => undoing.mutate({ query: { student_id, class_id, class_date } })
  return (
    <>
      {isAfterText && ' · '}
      {excuse && <span className={`${kit.strong} ${kit.blue}`}>{excuseWords(excuse)}</span>}
      {excuse ? <> {button('Undo', undo)}</> : button('Excuse', excuseNow)}
      {(excusing.isError || undoing.isError) && <span className={styles.failure}> Not saved.</span>}
    </>
  )
}

const VALUES = [
  { name: 'absent', words: 'Absent', present: false, Icon: IconX },
  { name: 'present', words: 'Present', present: true, Icon: IconCheck },
  { name: 'unmarked', words: 'Not marked', present: null, Icon: undefined },
] as const
const valueOf = (present: MarkValue) =>
  VALUES.find((value) => value.present === present) ?? VALUES[2]

type DecisionProps = { own: MarkValue; theirs: ServerMark; onMark: (present: MarkValue) => void }

/** Two different marks: a tap on one decides. */
const Decision = ({ own, theirs, onMark }: DecisionProps) =>
  [
    { source: 'You', ...valueOf(own) },
    { source: theirs.isCheckIn ? 'Kiosk' : 'Elsewhere', ...valueOf(theirs.present) },
  ].map(({ source, name, words, present, Icon }) => (
    <button key={source} type="button" value={name} onClick={() => onMark(present)}>
      {Icon && <Icon size={18} stroke={2.5} aria-hidden />}
      {source}: {words}
    </button>
  ))

type ChoicesProps = { present: MarkValue; onMark: (present: MarkValue) => void }

const Choices = ({ present, onMark }: ChoicesProps) => (
  <>
    <button
      type="button"
      value="present"
      aria-pressed={present === true}
      onClick={() => onMark(true)}
      onKeyDown={moveFocusWithArrows}
    >
      <IconCheck size={18} stroke={2.5} aria-hidden />
      Present
    </button>
    <button
      type="button"
      value="absent"
      aria-pressed={present === false}
      onClick={() => onMark(false)}
      onKeyDown={moveFocusWithArrows}
    >
      <IconX size={18} stroke={2.5} aria-hidden />
      Absent
    </button>
  </>
)

type MarkStateProps = { row: Row; id: string; isAfterText: boolean }

function MarkState({ row: { isSaving, isWaiting, elsewhere }, id, isAfterText }: MarkStateProps) {
  const separator = isAfterText && ' · '
  if (elsewhere)
    return (
      <span id={id} className={`${kit.strong} ${kit.orange}`}>
        {separator}
        {elsewhere.isCheckIn ? 'Checked in at the kiosk.' : 'Also marked elsewhere.'} Which is
        right?
      </span>
    )
  if (isWaiting)
    return (
      <span id={id} className={styles.waits}>
        {separator}
        <IconClock size={16} aria-hidden /> Waiting<span className={styles.long}> for network</span>
      </span>
    )
  return isSaving && <span className={styles.saving}>{separator}Saving…</span>
}

const withoutFullStop = (reason: string) => reason.replace(/\.$/, '')

type RollRowProps = {
  row: Row
  /** Shows the belt to tell students with the same name apart. */
  hasNamesake: boolean
  onMark: (present: MarkValue) => void
} & Pick<Props, 'onLeave'>

/** An unsaved mark shows the reason; a tap on the name sends it again. */
function RollRow({ row, hasNamesake, onMark, onLeave }: RollRowProps) {
  const { student, present, isDropIn, isGuest, notSaved, elsewhere } = row
  const state = useId()
  const description = joinNonEmpty(
    [
      hasNamesake && rankName(student.rank, student.belt_level),
      isDropIn && 'Drop-in',
      isGuest && 'Guest',
      student.on_vacation && 'On vacation',
    ],
    ' · ',
  )
  const isDescribed = notSaved !== undefined || elsewhere !== undefined || row.isWaiting
  return (
    <li
      className={`${belt.edge} ${styles.row}`}
      data-unsaved={notSaved !== undefined || row.isWaiting}
      style={rankEdgeStyle(student.rank, student.belt_level)}
    >
      {notSaved ? (
        <UnsavedName id={state} name={student.name} notSaved={notSaved} />
      ) : (
        <SavedName row={row} id={state} description={description} onLeave={onLeave} />
      )}
      {notSaved && student.has_medical_note && <MedicalMark student={student} />}
      <div
        role="group"
        aria-label={student.name}
        aria-describedby={isDescribed ? state : undefined}
        className={styles.choices}
        data-question={elsewhere !== undefined}
      >
        {elsewhere ? (
          <Decision own={present} theirs={elsewhere} onMark={onMark} />
        ) : (
          <Choices present={present} onMark={onMark} />
        )}
      </div>
    </li>
  )
}

type UnsavedProps = { id: string; name: string; notSaved: NonNullable<Row['notSaved']> }

const UnsavedName = ({ id, name, notSaved: { mark, reason } }: UnsavedProps) => (
  <button type="button" className={styles.who} onClick={() => void marks.retry(mark)}>
    <span className={styles.name}>{name} </span>
    <span id={id} className={styles.failure}>
      <IconCloudOff size={16} aria-hidden /> Not saved: {withoutFullStop(reason)}. <u>Try again</u>
    </span>
  </button>
)

type SavedProps = { row: Row; id: string; description: string } & Pick<Props, 'onLeave'>

function SavedName({ row, id, description, onLeave }: SavedProps) {
  const { student } = row
  const showsExcuse = hasExcuseState(row) && !row.elsewhere
  return (
    <div className={styles.who}>
      <span className={`${kit.line} ${styles.named}`}>
        <StudentLink id={student.id} className={styles.name} onClick={onLeave}>
          {student.name}
        </StudentLink>
        {student.has_medical_note && <MedicalMark student={student} />}
      </span>
      <span className={styles.about}>
        {description}
        {showsExcuse && <ExcuseState row={row} isAfterText={description !== ''} />}
        <MarkState row={row} id={id} isAfterText={description !== '' || showsExcuse} />
      </span>
    </div>
  )
}
