import { ActionIcon, Button, NativeSelect, Title } from '@mantine/core'
import { IconBeach, IconCalendarPlus, IconDots } from '@tabler/icons-react'
import { classDatesApi, type DatedClass } from '@tatami/contract/class-dates'
import { classesApi } from '@tatami/contract/classes'
import { daysAfter } from '@tatami/contract/timetable'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { classOptions } from '../classes/class-options.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useUrlQuery } from '../lib/url-query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { FramedList } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { DateState } from './date-state.tsx'
import { countWords, dayTitle, keyOfDate } from './dates.ts'
import type { Outcome } from './outcome-bar.tsx'
import styles from './schedule.module.css'
import { useDateActs } from './use-date-acts.tsx'

const AddDateDialog = lazyComponent(() => import('./add-date-dialog.tsx').then((part) => part.AddDateDialog))
const HolidaysSheet = lazyComponent(() => import('./holidays-sheet.tsx').then((part) => part.HolidaysSheet))

const OutcomeBar = lazyComponent(() => import('./outcome-bar.tsx').then((part) => part.OutcomeBar))

const FIRST_WEEKS = 3
const MOST_WEEKS = 13

/** What takes place on which day in the weeks to come: of all classes or of one. A tap on a date cancels it, moves it, names a substitute. */
export function Schedule() {
  const [query, change] = useUrlQuery()
  const [weeks, setWeeks] = useState(FIRST_WEEKS)
  const [opened, setOpened] = useState<'add' | 'holidays' | null>(() =>
    drafts.subjectOf('add-date') !== undefined ? 'add' : drafts.subjectOf('holiday') !== undefined ? 'holidays' : null,
  )
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const classId = classes?.some(({ id }) => id === query.get('class')) ? query.get('class')! : ''
  const from = today()
  const isDesktop = useLayout() === 'desktop'
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(classDatesApi.list, {
      query: { from, until: daysAfter(from, weeks * 7 - 1), ...(classId && { class_id: classId }) },
    }),
  )
  const done = (next: Outcome) => {
    setOpened(null)
    setOutcome(next)
  }
  const addButton = (
    <Button
      leftSection={<IconCalendarPlus size={20} aria-hidden />}
      onClick={() => setOpened('add')}
      onPointerEnter={AddDateDialog.preload}
      onFocus={AddDateDialog.preload}
    >
      Add a date
    </Button>
  )
  return (
    <div className={styles.page}>
      <PageHeader title="Schedule" subtitle={isDesktop && 'The weeks to come, date by date'}>
        <NativeSelect
          aria-label="Class"
          className={styles.choice}
          value={classId}
          data={[{ value: '', label: 'All classes' }, ...classOptions(classes ?? [])]}
          onChange={(event) => change({ class: event.currentTarget.value })}
        />
        <Button
          variant="default"
          leftSection={<IconBeach size={20} aria-hidden />}
          onClick={() => setOpened('holidays')}
          onPointerEnter={HolidaysSheet.preload}
          onFocus={HolidaysSheet.preload}
        >
          Holidays
        </Button>
        {isDesktop && addButton}
      </PageHeader>
      {isPending && <Skeletons count={6} height={64} label="Loading the schedule..." />}
      {isUnavailable && <RetryNotice onRetry={retry}>The schedule could not be loaded.</RetryNotice>}
      {data && <Days dates={data} hasClasses={classes?.length !== 0} />}
      {data && weeks < MOST_WEEKS && data.length > 0 && (
        <Button variant="default" onClick={() => setWeeks(Math.min(MOST_WEEKS, weeks + FIRST_WEEKS))}>
          Show more weeks
        </Button>
      )}
      <BottomActions>{addButton}</BottomActions>
      {opened === 'add' && <AddDateDialog classId={classId} onClose={() => setOpened(null)} onDone={done} />}
      {opened === 'holidays' && <HolidaysSheet onClose={() => setOpened(null)} onDone={done} />}
      {outcome && <OutcomeBar key={outcome.words} outcome={outcome} onOutcome={setOutcome} onGone={() => setOutcome(null)} />}
    </div>
  )
}

function Days({ dates, hasClasses }: { dates: DatedClass[]; hasClasses: boolean }) {
  const { act, acts, preload } = useDateActs(dates)
  if (dates.length === 0)
    return (
      <EmptyState
        action={
          <Button component={LayoutLink} to="/class-center" variant="default">
            {hasClasses ? 'Open Class Center' : 'Set up your classes'}
          </Button>
        }
      >
        No classes in these weeks.
      </EmptyState>
    )
  const days = [...Map.groupBy(dates, ({ day }) => day)]
  return (
    <>
      {days.map(([day, ofDay]) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <Title order={2} id={`day-${day}`} className={styles.day}>
            {dayTitle(day)}
          </Title>
          <FramedList>
            {ofDay.map((date) => (
              <li key={`${keyOfDate(date)} ${date.status}`}>
                <DateRow date={date} onAct={() => act(date)} onIntent={preload} />
              </li>
            ))}
          </FramedList>
        </section>
      ))}
      {acts}
    </>
  )
}

type RowProps = { date: DatedClass; onAct: () => void; onIntent: () => void }

/** One date; a tap anywhere on it opens what can be done with it. */
function DateRow({ date, onAct, onIntent }: RowProps) {
  const isOn = date.status === 'on'
  return (
    <div className={styles.date} data-off={!isOn}>
      <div className={styles.what}>
        <span className={styles.name}>{date.class_name}</span>
        <span className={styles.about}>
          <span className={styles.time}>{date.time}</span>
          {isOn && <span>{countWords(date)}</span>}
          <DateState date={date} />
        </span>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        className={styles.open}
        aria-label={`Change ${date.class_name}, ${dayTitle(date.day)}`}
        aria-haspopup="dialog"
        onClick={onAct}
        onPointerEnter={onIntent}
        onFocus={onIntent}
      >
        <IconDots size={20} />
      </ActionIcon>
    </div>
  )
}
