import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { classesApi, classesOn, daysText, type DojoClass, timeRange } from '@tatami/contract/classes'
import { FIRST_DAY, LAST_DAY } from '@tatami/contract/fields'
import { type Student, studentMatches } from '@tatami/contract/students'
import { type KeyboardEvent, useState } from 'react'
import { classOptions } from '../classes/class-options.ts'
import { capitalised } from '../lib/capitalised.ts'
import { showDay, today, weekdayOf } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { useRecoveringQuery } from '../lib/use-recovering-query.ts'
import { classNames } from '../students/class-groups.ts'
import belt from '../ui/belt-edge.module.css'
import { beltEdge } from '../ui/belt.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './mark-dialog.module.css'
import { NoClasses } from './no-classes.tsx'
import { RollList } from './roll-list.tsx'
import { isDay, type Roll, useRoll } from './use-roll.ts'

export type Preset = { classId?: string; day?: string }

type Props = { preset: Preset; isInAddress: boolean; onClose: () => void }

/** Who is here? A class of thirty takes one tap per student. */
export function MarkDialog({ preset, isInAddress, onClose }: Props) {
  const [day, setDay] = useState(preset.day ?? today())
  const [wanted, setWanted] = useState(preset.classId ?? '')
  const offered = useRecoveringQuery(endpointQuery(classesApi.list))
  // A link may name a class that is gone.
  const classId = offered.data?.some(({ id }) => id === wanted) ? wanted : ''
  const roll = useRoll(classId, day)
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Mark Attendance"
      hasEntry={!isInAddress}
      onSubmit={(event) => event.preventDefault()}
      actions={<RollFoot roll={roll} onClose={onClose} />}
    >
      <div className={styles.content}>
        {offered.isMissing ? (
          <ErrorNotice onRetry={offered.retry}>The classes could not be loaded.</ErrorNotice>
        ) : !offered.data ? (
          <Skeletons count={1} height={72} label="Loading" />
        ) : offered.data.length === 0 ? (
          <NoClasses />
        ) : (
          <ClassDay day={day} onDay={setDay} classId={classId} onClass={setWanted} offered={offered.data} />
        )}
        <RollList roll={roll} isChosen={classId !== '' && isDay(day)} canChoose={offered.data?.length !== 0} />
      </div>
    </Sheet>
  )
}

type ClassDayProps = { day: string; onDay: (day: string) => void; classId: string; onClass: (id: string) => void; offered: DojoClass[] }

/** Which class, on which day. The classes of that weekday come first. */
function ClassDay({ day, onDay, classId, onClass, offered }: ClassDayProps) {
  const onThatDay = isDay(day) ? classesOn(weekdayOf(day), offered) : []
  const groups = [
    { group: day === today() ? 'Today' : 'On this day', items: classOptions(onThatDay, offered) },
    {
      group: 'On other days',
      items: classOptions(
        offered.filter((one) => !onThatDay.includes(one)),
        offered,
      ),
    },
  ]
  const chosen = offered.find(({ id }) => id === classId)
  const isOdd = chosen && chosen.class_days.length > 0 && !onThatDay.includes(chosen)
  return (
    <div>
      <div className={styles.fields}>
        <TextInput
          type="date"
          label="Date"
          value={day}
          min={FIRST_DAY}
          max={LAST_DAY}
          onChange={(event) => onDay(event.currentTarget.value)}
          error={!isDay(day) && 'Please choose a date.'}
        />
        <NativeSelect
          label="Class"
          value={classId}
          onChange={(event) => onClass(event.currentTarget.value)}
          data={[{ value: '', label: 'Select a class' }, ...groups.filter(({ items }) => items.length > 0)]}
        />
      </div>
      <p className={styles.chosen}>
        {[isDay(day) && showDay(day), chosen && timeRange(chosen), isOdd && `usually ${daysText(chosen)}`].filter(Boolean).join(' · ')}
      </p>
    </div>
  )
}

/** How far one is, said; what concerns the whole class; and whoever dropped in, within reach of the thumb. */
function RollFoot({ roll, onClose }: { roll: Roll; onClose: () => void }) {
  const { rows = [], counts, undo, retryFailed } = roll
  const rest = rows.filter(({ present }) => present === null)
  const restPresent = () => roll.mark(rest.map(({ subject }) => ({ subject, present: true })))
  return (
    <>
      {roll.rows && <DropIn others={roll.others} onAdd={roll.addDropIn} />}
      <div className={styles.counts}>
        <p role="status" className={styles.words}>
          {rows.length > 0 ? `${counts.marked} of ${counts.all} marked, ${counts.present} present` : 'Every tap is saved at once.'}
          {counts.failed > 0 && <span className={styles.failed}>{`, ${counts.failed} not saved`}</span>}
        </p>
        {undo && (
          <Button variant="subtle" onClick={undo}>
            Undo
          </Button>
        )}
        {retryFailed && counts.failed > 1 && (
          <Button variant="subtle" color="red" onClick={retryFailed}>
            Try all again
          </Button>
        )}
      </div>
      {rows.length > 0 && (
        <Button variant="default" onClick={restPresent} disabled={rest.length === 0}>
          {counts.marked > 0 ? 'Rest present' : 'All present'}
        </Button>
      )}
      <Button onClick={onClose}>Done</Button>
    </>
  )
}

const AT_MOST = 5

/** Two students may have one name: belt and classes tell them apart, and where those are the same the e-mail. */
const about = ({ email, ...student }: Student, all: readonly DojoClass[]) =>
  [`${capitalised(student.belt_level)} belt`, classNames({ email, ...student }, all) || 'No classes', email].join(' · ')

/** Anyone of the dojo may train in any class: who is found and tapped is on the roll, and present. */
function DropIn({ others, onAdd }: { others: readonly Student[]; onAdd: (student: Student) => void }) {
  const { data: all = [] } = useQuery(endpointQuery(classesApi.list))
  const [typed, setTyped] = useState('')
  const found = typed.trim() === '' ? [] : others.filter((student) => studentMatches(student, typed, 'all'))
  const add = (student: Student) => {
    setTyped('')
    onAdd(student)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (found.length === 1) add(found[0]!)
  }
  return (
    <div className={styles.dropIn}>
      <TextInput
        type="search"
        aria-label="Add a drop-in"
        placeholder="Add a drop-in: name, email or phone"
        autoComplete="off"
        value={typed}
        leftSection={<IconUserPlus size={18} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul className={styles.found} aria-live="polite">
        {found.slice(0, AT_MOST).map((student) => (
          <li key={student.id}>
            <button
              type="button"
              className={`${belt.edge} ${styles.one}`}
              style={beltEdge(student.belt_level)}
              onClick={() => add(student)}
            >
              <span className={styles.name}>
                {student.name} <span className={styles.about}>{about(student, all)}</span>
              </span>
              <span className={styles.act}>Mark present</span>
            </button>
          </li>
        ))}
        {found.length > AT_MOST && <li className={styles.more}>{found.length - AT_MOST} more: type more of the name.</li>}
        {typed.trim() !== '' && found.length === 0 && (
          <li className={styles.more}>Nobody else in the dojo has this name, email or phone number.</li>
        )}
      </ul>
    </div>
  )
}
