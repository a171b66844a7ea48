import { Button, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useShell } from '../kernel/shell.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { HistoryCards } from './history-cards.tsx'
import { HistoryFilters, NO_FILTERS } from './history-filters.tsx'
import { HistoryTable } from './history-table.tsx'
import classes from './history.module.css'
import { isDay } from './use-roll.ts'
import { useHistory } from './use-history.ts'

const howMany = (shown: number, hasMore: boolean) => (hasMore ? `The newest ${shown} records` : `${shown} ${shown === 1 ? 'record' : 'records'}`)

/** What was marked, newest first: the dojo's for its instructor, their own for a student. `next` is offered while there is nothing. */
export function History({ isOwn, next }: { isOwn: boolean; next?: ReactNode }) {
  const Records = useShell() === 'desktop' ? HistoryTable : HistoryCards
  const [filters, setFilters] = useState(NO_FILTERS)
  const isFiltered = filters !== NO_FILTERS
  const history = useHistory({ class_id: filters.classId || undefined, class_date: isDay(filters.day) ? filters.day : undefined })
  const { records, hasNextPage, isFetchingNextPage } = history
  return (
    <section className={classes.history}>
      <Title order={2}>Attendance records</Title>
      <div className={classes.filters}><HistoryFilters filters={filters} onChange={setFilters} /></div>
      <div className={classes.summary}>
        <p role="status" className={classes.count}>{records && records.length > 0 && howMany(records.length, hasNextPage)}</p>
        <Button variant="subtle" onClick={() => setFilters(NO_FILTERS)}>Clear Filters</Button>
      </div>
      {history.isError && !history.isFetching && <ErrorNotice onRetry={() => void (records ? history.fetchNextPage() : history.refetch())}>The attendance records could not be loaded.</ErrorNotice>}
      {!records && !history.isError && <Skeletons count={6} height={64} label="Loading" />}
      {records?.length === 0 && <EmptyState action={!isFiltered && next}>No attendance records found</EmptyState>}
      {records && records.length > 0 && <div data-outdated={history.isPlaceholderData} className={classes.records}><Records records={records} isOwn={isOwn} /></div>}
      {hasNextPage && <BusyButton variant="default" busy={isFetchingNextPage} busyLabel="Loading..." onClick={() => void history.fetchNextPage()}>Show more</BusyButton>}
    </section>
  )
}
