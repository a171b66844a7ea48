import { Button, Title } from '@mantine/core'
import { useState } from 'react'
import { useShell } from '../kernel/shell.tsx'
import { counted } from '../kernel/counted.ts'
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

/** What was marked, newest first: the dojo's for its instructor, their own for a student. */
export function History({ isOwn }: { isOwn: boolean }) {
  const shell = useShell()
  const Records = shell === 'desktop' ? HistoryTable : HistoryCards
  const [filters, setFilters] = useState(NO_FILTERS)
  const history = useHistory({ class_id: filters.classId || undefined, class_date: isDay(filters.day) ? filters.day : undefined })
  const { records, hasNextPage } = history
  const hasRecords = records !== undefined && records.length > 0
  const retry = () => void (records ? history.fetchNextPage() : history.refetch())
  return (
    <section className={classes.history} data-shell={shell}>
      <Title order={2}>Attendance records</Title>
      <div className={classes.bar}>
        <div className={classes.filters}>
          <HistoryFilters filters={filters} onChange={setFilters} />
        </div>
        <div className={classes.summary}>
          <p role="status" className={classes.count}>
            {hasRecords && (hasNextPage ? `The newest ${counted(records.length, 'record')}` : counted(records.length, 'record'))}
          </p>
          <Button variant="subtle" onClick={() => setFilters(NO_FILTERS)}>
            Clear Filters
          </Button>
        </div>
      </div>
      {!records && !history.isError && <Skeletons count={6} height={84} label="Loading" />}
      {records?.length === 0 && <EmptyState>No attendance records found</EmptyState>}
      {hasRecords && (
        <div data-outdated={history.isPlaceholderData} className={classes.records}>
          <Records records={records} isOwn={isOwn} />
        </div>
      )}
      {history.isError && !history.isFetching && <ErrorNotice onRetry={retry}>The attendance records could not be loaded.</ErrorNotice>}
      {hasNextPage && (
        <BusyButton variant="default" busy={history.isFetchingNextPage} busyLabel="Loading..." onClick={() => void history.fetchNextPage()}>
          Show more
        </BusyButton>
      )}
    </section>
  )
}
