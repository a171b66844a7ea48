import { addDays } from '@tatami/contract/lib/calendar-day'
import { Button, NativeSelect } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { classOptions } from '../lib/class-options.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useUrlChoice, useUrlQuery } from '../lib/url-query.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import type { DateOutcome } from './outcome-bar.tsx'
import { UpcomingDays, PastDays } from './schedule-days.tsx'
import styles from './schedule.module.css'
import kit from '../ui/kit.module.css'

const AddDateDialog = lazyComponent(() => import('./add-date-dialog.tsx'), 'AddDateDialog')
const OutcomeBar = lazyComponent(() => import('./outcome-bar.tsx'), 'OutcomeBar')

const WEEKS_PER_STEP = 3
/** The API returns at most 13 weeks. Few people look back more than two months. */
const MAX_WEEKS = { coming: 13, past: 8 }

const PERIODS = [
  { value: 'coming', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
] as const
type Period = (typeof PERIODS)[number]['value']

/** Returns false for a date before the class was created, unless a student was marked on it. */
function mayHaveTakenPlace(
  { class_id, day, status, came }: DatedClass,
  classes: readonly DojoClass[] | undefined,
) {
  const createdAt = classes?.find(({ id }) => id === class_id)?.created_at
  if (status !== 'on' || came !== null || createdAt === undefined) return true
  return day >= today(new Date(createdAt))
}

function findDayRange(period: Period, weeks: number) {
  const currentDay = today()
  const dayCount = weeks * 7
  if (period === 'past')
    return { from: addDays(currentDay, -dayCount), until: addDays(currentDay, -1) }
  return { from: currentDay, until: addDays(currentDay, dayCount - 1) }
}

function useScheduleDates(period: Period, weeks: number, classId: string) {
  const isInView = ({ day, class_id }: DatedClass) => {
    const periodOfDay = day < today() ? 'past' : 'coming'
    return periodOfDay === period && (!classId || class_id === classId)
  }
  return useRetryingQuery({
    ...endpointQuery(classDatesApi.list, {
      query: { ...findDayRange(period, weeks), ...(classId && { class_id: classId }) },
    }),
    placeholderData: (previousDates) =>
      previousDates?.every(isInView) ? previousDates : undefined,
  })
}

export function Schedule() {
  const can = useCan()
  const [query, changeQuery] = useUrlQuery()
  const [isAdding, setIsAdding] = useState(() => drafts.subjectOf('add-date') !== undefined)
  const [outcome, setOutcome] = useState<DateOutcome | null>(null)
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const classId = classes?.find(({ id }) => id === query.get('class'))?.id ?? ''
  const [period, setPeriod] = useUrlChoice('show', ['coming', 'past'])
  const isDesktop = useLayout() === 'desktop'
  const showOutcome = (newOutcome: DateOutcome) => {
    setIsAdding(false)
    setOutcome(newOutcome)
  }
  const addButton = can('schedule') && (
    <Button
      leftSection={<IconCalendarPlus size={20} aria-hidden />}
      onClick={() => setIsAdding(true)}
      {...AddDateDialog.preloadOnHover}
    >
      Add a date
    </Button>
  )
  return (
    <div className={`${kit.stack} ${styles.page}`}>
      <ScheduleHeader
        period={period}
        classes={classes ?? []}
        classId={classId}
        onClassChange={(id) => changeQuery({ class: id })}
      >
        {isDesktop && addButton}
      </ScheduleHeader>
      <ChoiceBar label="Weeks" choices={PERIODS} value={period} onChange={setPeriod} />
      <ScheduleDates
        key={period}
        period={period}
        classes={classes}
        classId={classId}
        onDone={showOutcome}
      />
      {addButton && <BottomActions>{addButton}</BottomActions>}
      {isAdding && (
        <AddDateDialog classId={classId} onClose={() => setIsAdding(false)} onDone={showOutcome} />
      )}
      {outcome && (
        <OutcomeBar
          key={outcome.message}
          outcome={outcome}
          onOutcome={setOutcome}
          onDismiss={() => setOutcome(null)}
        />
      )}
    </div>
  )
}

type DatesProps = {
  period: Period
  classes: readonly DojoClass[] | undefined
  classId: string
  onDone: (outcome: DateOutcome) => void
}

function ScheduleDates({ period, classes, classId, onDone }: DatesProps) {
  const [requestedWeeks, setRequestedWeeks] = useState(WEEKS_PER_STEP)
  const weeks = Math.min(requestedWeeks, MAX_WEEKS[period])
  const dates = useScheduleDates(period, weeks, classId)
  if (!dates.data)
    return (
      <Loading query={dates} error="The schedule could not be loaded.">
        <Skeletons count={6} height={64} label="Loading the schedule..." />
      </Loading>
    )
  const { data } = dates
  const hasMore = weeks < MAX_WEEKS[period] && (data.length > 0 || period === 'past')
  return (
    <>
      {period === 'past' ? (
        <PastDays dates={data.filter((date) => mayHaveTakenPlace(date, classes))} />
      ) : (
        <UpcomingDays dates={data} hasClasses={classes?.length !== 0} onDone={onDone} />
      )}
      {hasMore && (
        <Button variant="default" onClick={() => setRequestedWeeks(weeks + WEEKS_PER_STEP)}>
          Show more weeks
        </Button>
      )}
    </>
  )
}

type HeaderProps = {
  period: Period
  classes: readonly DojoClass[]
  classId: string
  onClassChange: (id: string) => void
  children: ReactNode
}

const ScheduleHeader = ({ period, classes, classId, onClassChange, children }: HeaderProps) => (
  <PageHeader
    title="Schedule"
    subtitle={
      useLayout() === 'desktop' && (period === 'past' ? 'The last eight weeks' : 'The coming weeks')
    }
  >
    <NativeSelect
      aria-label="Class"
      className={styles.choice}
      value={classId}
      data={[{ value: '', label: 'All classes' }, ...classOptions(classes)]}
      onChange={(event) => onClassChange(event.currentTarget.value)}
    />
    {children}
  </PageHeader>
)
