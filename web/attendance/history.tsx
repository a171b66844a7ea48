import { Button, Title } from '@mantine/core'
import { attendanceApi } from '@tatami/contract/attendance'
import { useState } from 'react'
import { useShell } from '../lib/shell.tsx'
import { usePages } from '../lib/pages.ts'
import { counted } from '../lib/counted.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { HistoryCards } from './history-cards.tsx'
import { HistoryFilters, NO_FILTERS } from './history-filters.tsx'
import { HistoryTable } from './history-table.tsx'
import classes from './history.module.css'
import { isDay } from './use-roll.ts'

const ROWS = 50

/** What was marked, newest first: the dojo's for its instructor, their own for a student. */
export function History({ isOwn }: { isOwn: boolean }) {
  const shell = useShell()
  const Records = shell === 'desktop' ? HistoryTable : HistoryCards
  const [filters, setFilters] = useState(NO_FILTERS)
  const history = usePages(attendanceApi.list, {
    limit: ROWS,
    filter: { class_id: filters.classId || undefined, class_date: isDay(filters.day) ? filters.day : undefined },
  })
  const { rows: records, hasNextPage } = history
  const hasRecords = records !== undefined && records.length > 0
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
      <MoreRows of={history} failed="The attendance records could not be loaded." />
    </section>
  )
}
