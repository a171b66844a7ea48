import { Stack } from '@mantine/core'
import type { SenseiFilter } from '@tatami/contract/sensei'
import { useState } from 'react'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SenseiList } from './sensei-list.tsx'
import { StatCards } from './stat-cards.tsx'
import classes from './super-admin-dashboard.module.css'
import { SystemConfig } from './system-config.tsx'
import { useOverview } from './use-overview.ts'

/** Who registered, who waits to be let in, and what is set for all. */
export function SuperAdminDashboard({ onRefused }: { onRefused: () => void }) {
  const overview = useOverview(onRefused)
  const [filter, setFilter] = useState<SenseiFilter>('all')
  return (
    <Stack gap="lg">
      <PageHeader title="Super Admin Dashboard" />
      <ErrorNotice onRetry={() => void overview.refresh()}>{overview.isError && 'Failed to load dashboard data'}</ErrorNotice>
      {!overview.isMissing && (
        <>
          <div className={classes.top}>
            <StatCards stats={overview.stats} filter={filter} onFilter={setFilter} />
            <SystemConfig dailyLimit={overview.config?.daily_message_limit} />
          </div>
          <SenseiList overview={overview} filter={filter} />
        </>
      )}
    </Stack>
  )
}
