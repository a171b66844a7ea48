import { Button, Title } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import type { ReactNode } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { rollPath } from '../lib/paths.ts'
import { useIsTable } from '../lib/use-is-table.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { FramedList } from '../ui/framed-list.tsx'
import type { PreloadOnHover } from '../ui/lazy-component.tsx'
import { DateActionsButton } from './date-actions-button.tsx'
import { DateState } from './date-state.tsx'
import { formatDayTitle, dateKey } from './dates.ts'
import { Fullness } from './fullness.tsx'
import type { DateOutcome } from './outcome-bar.tsx'
import { PresentCount } from './present-count.tsx'
import styles from './schedule.module.css'
import { useDateActions } from './use-date-actions.tsx'
import { hasWaitlist, Waitlist } from './waitlist.tsx'
import { firstDayAfterGrid, WeekGrid } from './week-grid.tsx'
import kit from '../ui/kit.module.css'

type DaysProps = { dates: readonly DatedClass[]; renderDate: (date: DatedClass) => ReactNode }

const DateList = ({ dates, renderDate }: DaysProps) =>
  [...Map.groupBy(dates, ({ day }) => day)].map(([day, datesOfDay]) => (
    <section key={day} aria-labelledby={`day-${day}`}>
      <Title order={2} id={`day-${day}`} className={styles.day}>
        {formatDayTitle(day)}
      </Title>
      <FramedList>
        {datesOfDay.map((date) => (
          <li key={`${dateKey(date)} ${date.status}`}>{renderDate(date)}</li>
        ))}
      </FramedList>
    </section>
  ))

type Props = { dates: DatedClass[]; hasClasses: boolean; onDone: (outcome: DateOutcome) => void }

export function UpcomingDays({ dates, hasClasses, onDone }: Props) {
  const { openActions, actionsDialog, preloadOnHover } = useDateActions(dates)
  const isWide = useIsTable('62em')
  // A grid with a single class would be mostly empty.
  const hasGrid = isWide && dates.some(({ class_id }) => class_id !== dates[0]?.class_id)
  const isInGrid = ({ day }: DatedClass) => hasGrid && day < firstDayAfterGrid()
  const actions = { onOpen: openActions, preloadOnHover }
  if (dates.length === 0) return <NoUpcomingDates hasClasses={hasClasses} />
  return (
    <>
      {hasGrid && (
        <>
          <WeekGrid dates={dates} {...actions} />
          <Waitlists dates={dates.filter(isInGrid)} onDone={onDone} />
        </>
      )}
      <DateList
        dates={dates.filter((date) => !isInGrid(date))}
        renderDate={(date) => <UpcomingDate date={date} onDone={onDone} {...actions} />}
      />
      {actionsDialog}
    </>
  )
}

const NoUpcomingDates = ({ hasClasses }: Pick<Props, 'hasClasses'>) => (
  <EmptyState
    action={
      <WithRight right="schedule">
        <Button component={LayoutLink} to="/class-center" variant="default">
          {hasClasses ? 'Open Class Center' : 'Set up your classes'}
        </Button>
      </WithRight>
    }
  >
    No classes in these weeks.
  </EmptyState>
)

type UpcomingDateProps = Pick<Props, 'onDone'> & {
  date: DatedClass
  onOpen: (date: DatedClass) => void
  preloadOnHover: PreloadOnHover
}

const UpcomingDate = ({ date, onDone, onOpen, preloadOnHover }: UpcomingDateProps) => (
  <>
    <DateRow date={date}>
      <WithRight right="schedule">
        <DateActionsButton
          variant="subtle"
          color="gray"
          className={styles.rowAction}
          label={`Change ${date.class_name}, ${formatDayTitle(date.day)}`}
          onOpen={() => onOpen(date)}
          preloadOnHover={preloadOnHover}
        />
      </WithRight>
    </DateRow>
    {hasWaitlist(date) && (
      <div className={styles.waitlist}>
        <Waitlist date={date} onDone={onDone} />
      </div>
    )}
  </>
)

type WaitlistsProps = Pick<Props, 'onDone'> & { dates: readonly DatedClass[] }

/** Shows the waitlists of the classes in the grid, which has no space for them. */
const Waitlists = ({ dates, onDone }: WaitlistsProps) =>
  dates.filter(hasWaitlist).map((date) => (
    <div key={dateKey(date)} className={`${kit.card} ${styles.gridWaitlist}`}>
      <p className={kit.strong}>
        Waitlist for {date.class_name}, {formatDayTitle(date.day)}
      </p>
      <Waitlist date={date} onDone={onDone} />
    </div>
  ))

export function PastDays({ dates }: { dates: readonly DatedClass[] }) {
  const can = useCan()
  if (dates.length === 0) return <EmptyState>No classes in these weeks.</EmptyState>
  const renderDate = (date: DatedClass) => (
    <DateRow date={date}>
      {date.status !== 'moved' && can('roll') && (
        <LayoutLink
          to={rollPath(date)}
          state={{ isLinked: true }}
          className={styles.rowAction}
          aria-label={`Roll for ${date.class_name}, ${formatDayTitle(date.day)}`}
        >
          <IconChevronRight size={20} stroke={1.5} aria-hidden />
        </LayoutLink>
      )}
    </DateRow>
  )
  const datesNewestFirst = dates.toSorted((a, b) => b.day.localeCompare(a.day))
  return <DateList dates={datesNewestFirst} renderDate={renderDate} />
}

function DateRow({ date, children }: { date: DatedClass; children: ReactNode }) {
  const isTakingPlace = date.status === 'on'
  const isPast = date.day < today()
  return (
    <div className={`${kit.line} ${styles.date}`} data-off={!isTakingPlace}>
      <div className={kit.fill}>
        <span className={`${kit.name} ${styles.name}`}>{date.class_name}</span>
        <span className={kit.facts}>
          <span className={styles.time}>{date.time}</span>
          {isTakingPlace && !isPast && <Fullness date={date} />}
          <PresentCount date={date} />
          <DateState date={date} />
        </span>
      </div>
      {children}
    </div>
  )
}
