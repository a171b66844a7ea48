import { Stack } from '@mantine/core'
import type { SenseiFilter } from '@tatami/contract/sensei'
import { useState } from 'react'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SenseiList } from './sensei-list.tsx'
import { StatCards } from './stat-cards.tsx'
import { useOverview } from './use-overview.ts'

/** Who registered, and who waits to be let in. */
export function SuperAdminDashboard() {
  const overview = useOverview()
  const [filter, setFilter] = useState<SenseiFilter>('all')
  return (
    <Stack gap="lg">
      <PageHeader title="Super Admin Dashboard" />
      <ErrorNotice onRetry={() => void overview.refresh()}>{overview.isError && 'Failed to load dashboard data'}</ErrorNotice>
      {!overview.isMissing && (
        <>
          <StatCards stats={overview.stats} filter={filter} onFilter={setFilter} />
          <SenseiList overview={overview} filter={filter} />
        </>
      )}
    </Stack>
  )
}
