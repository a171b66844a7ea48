import { daysBetween } from '@tatami/contract/lib/calendar-day'
import { ActionIcon, Button } from '@mantine/core'
import { IconBeach, IconTrash } from '@tabler/icons-react'
import { classDatesApi, type Holiday } from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { FramedList } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { CLASS_DATE_QUERIES, formatDayRange } from './dates.ts'
import styles from './holidays.module.css'
import type { DateOutcome } from './outcome-bar.tsx'
import kit from '../ui/kit.module.css'

const AddHolidaySheet = lazyComponent(() => import('./add-holiday-sheet.tsx'), 'AddHolidaySheet')
const OutcomeBar = lazyComponent(() => import('./outcome-bar.tsx'), 'OutcomeBar')

export function Holidays() {
  const [isAdding, setIsAdding] = useState(() => drafts.subjectOf('holiday') !== undefined)
  const [outcome, setOutcome] = useState<DateOutcome | null>(null)
  const isDesktop = useLayout() === 'desktop'
  const addButton = (
    <Button
      leftSection={<IconBeach size={20} aria-hidden />}
      onClick={() => setIsAdding(true)}
      {...AddHolidaySheet.preloadOnHover}
    >
      Add a holiday
    </Button>
  )
  return (
    <div className={kit.stack}>
      <PageHeader title="Holidays" subtitle="There are no classes on a holiday.">
        {isDesktop && addButton}
      </PageHeader>
      <UpcomingHolidays />
      <BottomActions>{addButton}</BottomActions>
      {isAdding && (
        <AddHolidaySheet
          onClose={() => setIsAdding(false)}
          onDone={(newOutcome) => {
            setIsAdding(false)
            setOutcome(newOutcome)
          }}
        />
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

function UpcomingHolidays() {
  const holidays = useRetryingQuery(endpointQuery(classDatesApi.holidays))
  if (!holidays.data)
    return (
      <Loading query={holidays} error="The holidays could not be loaded.">
        <Skeletons count={2} height={64} label="Loading the holidays..." />
      </Loading>
    )
  const upcomingHolidays = holidays.data.filter(({ last_day }) => last_day >= today())
  if (upcomingHolidays.length === 0) return <EmptyState>No holidays yet</EmptyState>
  return (
    <FramedList aria-label="Holidays">
      {upcomingHolidays.map((holiday) => (
        <HolidayRow key={holiday.id} holiday={holiday} />
      ))}
    </FramedList>
  )
}

function HolidayRow({ holiday: { id, name, first_day, last_day } }: { holiday: Holiday }) {
  const remove = useEndpointMutation(classDatesApi.removeHoliday, { refreshes: CLASS_DATE_QUERIES })
  return (
    <li className={`${kit.line} ${styles.holiday}`}>
      <div className={`${kit.fill} ${styles.text}`}>
        <span className={kit.name}>{name}</span>
        <span className={kit.muted}>{formatDayRange(first_day, last_day)}</span>
        <ErrorNotice>
          {failureMessage(remove, 'The holiday could not be removed. Please try again.')}
        </ErrorNotice>
      </div>
      <ActionIcon
        variant="subtle"
        color="red"
        size={44}
        aria-label={`Remove ${name}, ${pluralize(daysBetween(first_day, last_day) + 1, 'day')}`}
        loading={remove.isPending}
        onClick={() => remove.mutate({ params: { id } })}
      >
        <IconTrash size={20} />
      </ActionIcon>
    </li>
  )
}
