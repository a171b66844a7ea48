import { weekdayOf } from '@tatami/contract/lib/calendar-day'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  classesApi,
  classesOn,
  daysText,
  type DojoClass,
  timeRange,
} from '@tatami/contract/classes/classes'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { isCalendarDate, MIN_DATE, MAX_DATE } from '@tatami/contract/lib/fields'
import { studentMatches } from '@tatami/contract/students/student-search'
import type { Student } from '@tatami/contract/students/students'
import { type MouseEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useCan } from '../lib/current-user.ts'
import { classOptions } from '../lib/class-options.ts'
import { formatWeekdayAndDay, today } from '../lib/dates.ts'
import { recordFinishedJob } from '../lib/install-moment.ts'
import { useOldestCopyTime } from '../lib/offline.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { describeState } from '../calendar/dates.ts'
import { CanceledNotice, RestoredNotice } from '../calendar/canceled-notice.tsx'
import type { DateOutcome } from '../calendar/outcome-bar.tsx'
import { findDateOn, findCanceledDate, useDatesOnDay } from '../calendar/use-dates-on-day.ts'
import { describeStudent } from '../lib/class-groups.ts'
import { rankEdgeStyle, rankName } from '../ui/rank-name.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { OfflineNote } from '../ui/offline-note.tsx'
import { SearchPicker } from '../ui/search-picker.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './mark-dialog.module.css'
import { NoClasses } from './no-classes.tsx'
import { RollList } from './roll-list.tsx'
import { isUnmarked } from './roll.ts'
import { type Roll, useRoll } from './use-roll.ts'
import { type RollStripes, useRollStripes } from './use-roll-stripes.ts'
import { RollTrials } from '../trials/trials.tsx'
import { SellingClasses } from '../plans/sell-classes.tsx'
import kit from '../ui/kit.module.css'

const StripeList = lazyComponent(() => import('./stripe-list.tsx'), 'StripeList')

/** The class and day with which the dialog opens. The day is today by default. */
export type RollPreset = { classId?: string; day?: string }

type Props = { preset: RollPreset; isFromUrl: boolean; onClose: () => void }

export function MarkDialog({ preset, isFromUrl, onClose }: Props) {
  const [day, setDay] = useState(preset.day ?? today())
  const [selectedId, setSelectedId] = useState(preset.classId ?? '')
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  // A link may contain the id of a deleted class.
  const classId = classes.data?.some(({ id }) => id === selectedId) ? selectedId : ''
  const dates = useDatesOnDay(day)
  const canceledDate = findCanceledDate(dates, classId)
  const roll = useRoll(classId, day, findDateOn(dates, classId))
  const stripes = useRollStripes(classId, day)
  const close = () => {
    // The app only suggests installing itself after the user has finished something.
    if (roll.counts.marked > 0) recordFinishedJob()
    onClose()
  }
  return (
    <SellingClasses>
      <Sheet
        opened
        onClose={close}
        title="Mark Attendance"
        hasHistoryEntry={!isFromUrl}
        onSubmit={(event) => event.preventDefault()}
        actions={
          canceledDate ? (
            <Button onClick={close}>Done</Button>
          ) : (
            <RollActions roll={roll} stripes={stripes} onClose={close} />
          )
        }
      >
        <div className={styles.content}>
          {classes.isUnavailable && (
            <ErrorNotice onRetry={classes.retry}>The classes could not be loaded.</ErrorNotice>
          )}
          {classes.isPending && <Skeletons count={1} height={72} label="Loading" />}
          {classes.data?.length === 0 && <NoClasses />}
          {classes.data && classes.data.length > 0 && (
            <ClassAndDayFields
              day={day}
              onDayChange={setDay}
              classId={classId}
              onClassChange={setSelectedId}
              classes={classes.data}
              dates={dates}
            />
          )}
          <DayRoll
            classId={classId}
            day={day}
            canceledDate={canceledDate}
            roll={roll}
            stripes={stripes}
            hasClasses={classes.data?.length !== 0}
            trialCount={findDateOn(dates, classId)?.trials ?? 0}
          />
        </div>
      </Sheet>
    </SellingClasses>
  )
}

type DayRollProps = {
  classId: string
  day: string
  canceledDate: DatedClass | undefined
  roll: Roll
  stripes: RollStripes
  hasClasses: boolean
  /** Visitors who booked a trial on this date. */
  trialCount: number
}

function DayRoll(props: DayRollProps) {
  const { classId, day, canceledDate, roll, stripes, hasClasses, trialCount } = props
  const [restoredDate, setRestoredDate] = useState<{ id: string; outcome: DateOutcome } | null>(
    null,
  )
  const dateId = `${classId} ${day}`
  const onLinkClick = useKeepRollInUrl(classId, day)
  if (canceledDate)
    return (
      <CanceledNotice
        date={canceledDate}
        onRestored={(outcome) => setRestoredDate({ id: dateId, outcome })}
      />
    )
  if (stripes.isOpen && stripes.style && roll.rows)
    return <StripeList rows={roll.rows} styleId={stripes.style.id} stripes={stripes} />
  return (
    <>
      {restoredDate?.id === dateId && <RestoredNotice outcome={restoredDate.outcome} />}
      <RollList
        roll={roll}
        hasSelection={classId !== '' && isCalendarDate(day)}
        hasClasses={hasClasses}
        onLinkClick={onLinkClick}
      />
      {trialCount > 0 && <RollTrials classId={classId} day={day} />}
    </>
  )
}

/** Puts the class and day into the URL when a student's page opens, so that Back returns to this
 *  roll. */
function useKeepRollInUrl(classId: string, day: string) {
  const navigate = useNavigate()
  const { search, state } = useLocation() as { search: string; state: unknown }
  return (event: MouseEvent) => {
    // These keys open the link in another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    const params = new URLSearchParams(search)
    params.set('class', classId)
    params.set('date', day)
    void navigate({ search: params.toString() }, { replace: true, state })
  }
}

type FieldsProps = {
  day: string
  onDayChange: (day: string) => void
  classId: string
  onClassChange: (id: string) => void
  classes: DojoClass[]
  dates: DatedClass[] | undefined
}

/** Includes added and moved classes. Until these load, uses the weekly timetable. */
function findClassesOnDay(day: string, classes: DojoClass[], dates: DatedClass[] | undefined) {
  if (!dates) return isCalendarDate(day) ? classesOn(weekdayOf(day), classes) : []
  const classIds = new Set(dates.map(({ class_id }) => class_id))
  return [...classIds].flatMap((id) => classes.find((dojoClass) => dojoClass.id === id) ?? [])
}

function createClassGroups(day: string, classesOnDay: DojoClass[], classes: DojoClass[]) {
  const otherClasses = classes.filter((dojoClass) => !classesOnDay.includes(dojoClass))
  const groups = [
    {
      group: day === today() ? 'Today' : 'On this day',
      items: classOptions(classesOnDay, classes),
    },
    { group: 'On other days', items: classOptions(otherClasses, classes) },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function ClassAndDayFields({
  day,
  onDayChange,
  classId,
  onClassChange,
  classes,
  dates,
}: FieldsProps) {
  const classesOnDay = findClassesOnDay(day, classes, dates)
  const selectedClass = classes.find(({ id }) => id === classId)
  const classDate = findDateOn(dates, classId)
  const isUnusualDay =
    selectedClass && selectedClass.class_days.length > 0 && !classesOnDay.includes(selectedClass)
  return (
    <div>
      <div className={`${kit.stackSmall} ${styles.fields}`}>
        <TextInput
          type="date"
          label="Date"
          value={day}
          min={MIN_DATE}
          max={MAX_DATE}
          onChange={(event) => onDayChange(event.currentTarget.value)}
          error={!isCalendarDate(day) && 'Please choose a date.'}
        />
        <NativeSelect
          label="Class"
          value={classId}
          onChange={(event) => onClassChange(event.currentTarget.value)}
          data={[
            { value: '', label: 'Select a class' },
            ...createClassGroups(day, classesOnDay, classes),
          ]}
        />
      </div>
      <p className={`${kit.note} ${styles.hint}`}>
        {joinNonEmpty(
          [
            isCalendarDate(day) && formatWeekdayAndDay(day),
            selectedClass && (classDate?.time ?? timeRange(selectedClass)),
            classDate && describeState(classDate),
            isUnusualDay && `usually ${daysText(selectedClass)}`,
          ],
          ' · ',
        )}{' '}
        <OfflineNote />
      </p>
    </div>
  )
}

type ActionsProps = { roll: Roll; stripes: RollStripes; onClose: () => void }

function RollActions({ roll, stripes, onClose }: ActionsProps) {
  const { rows = [], counts, undo, retryUnsaved } = roll
  const unmarkedRows = rows.filter(isUnmarked)
  // If somebody else marks one of these students in the meantime, their mark wins.
  const markRestAsPresent = () =>
    roll.mark(
      unmarkedRows.map(({ target }) => ({ target, present: true })),
      { yields: true },
    )
  // Offline, marks from other devices may be missing, so "All present" might not be true.
  const isOffline = useOldestCopyTime() !== undefined
  if (stripes.isOpen) return <StripeActions stripes={stripes} onClose={onClose} />
  return (
    <>
      {roll.rows && <DropIn studentsNotOnRoll={roll.studentsNotOnRoll} onAdd={roll.addDropIn} />}
      <div className={`${kit.row} ${styles.counts}`}>
        <p role="status" className={styles.progress}>
          {rows.length > 0 ? describeCounts(counts) : 'Every tap is saved right away.'}
          {counts.waiting > 0 && `, ${counts.waiting} waiting for network`}
          {counts.unsaved > 0 && <span className={kit.red}>{`, ${counts.unsaved} not saved`}</span>}
          {counts.conflicting > 0 && (
            <span className={kit.red}>{`, ${counts.conflicting} to decide`}</span>
          )}
        </p>
        {undo && (
          <Button variant="subtle" onClick={undo}>
            Undo
          </Button>
        )}
        {retryUnsaved && counts.unsaved > 1 && (
          <Button variant="subtle" color="red" onClick={retryUnsaved}>
            Try all again
          </Button>
        )}
        {stripes.style && rows.length > 0 && (
          <Button
            variant="subtle"
            onClick={() => stripes.setOpen(true)}
            {...StripeList.preloadOnHover}
          >
            Stripes
          </Button>
        )}
      </div>
      {rows.length > 0 && (
        <Button variant="default" onClick={markRestAsPresent} disabled={unmarkedRows.length === 0}>
          {counts.marked > 0 || counts.waiting > 0 || isOffline ? 'Rest present' : 'All present'}
        </Button>
      )}
      <Button onClick={onClose}>Done</Button>
    </>
  )
}

const StripeActions = ({ stripes, onClose }: Omit<ActionsProps, 'roll'>) => (
  <>
    <div className={`${kit.row} ${styles.counts}`}>
      <p role="status" className={styles.progress}>
        {stripes.lastStripe
          ? `${stripes.lastStripe.name}: ${rankName(stripes.lastStripe.rank)}`
          : 'Students and parents are notified right away.'}
      </p>
    </div>
    <Button variant="default" onClick={() => stripes.setOpen(false)}>
      Back to the roll
    </Button>
    <Button onClick={onClose}>Done</Button>
  </>
)

const describeCounts = ({ marked, expected, present, excused }: Roll['counts']) =>
  `${marked} of ${expected} marked, ${present} present${excused > 0 ? `, ${excused} excused` : ''}`

type DropInProps = { studentsNotOnRoll: readonly Student[]; onAdd: (student: Student) => void }

function DropIn({ studentsNotOnRoll, onAdd }: DropInProps) {
  const can = useCan()
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  return (
    <div className={styles.dropIn}>
      <SearchPicker
        label="Add a drop-in"
        placeholder={
          can('students.contact') ? 'Add a drop-in: name, email or phone' : 'Add a drop-in: name'
        }
        icon={<IconUserPlus size={18} aria-hidden />}
        find={(search) =>
          studentsNotOnRoll.filter((student) => studentMatches(student, search, 'all'))
        }
        describe={(student) => describeStudent(student, classes)}
        edgeStyle={({ rank, belt_level }) => rankEdgeStyle(rank, belt_level)}
        actionLabel="Mark present"
        onPick={onAdd}
        noMatchesNote="No results"
        isAtBottom
        picksOnEnter
      />
    </div>
  )
}
