import { Button, Stack } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { SenseiFilter } from '@tatami/contract/sensei'
import { useState } from 'react'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { SenseiList } from './sensei-list.tsx'
import { StatCards } from './stat-cards.tsx'
import classes from './super-admin-dashboard.module.css'
import { SystemConfig } from './system-config.tsx'
import { useOverview } from './use-overview.ts'

const AuditLogDialog = lazyPart(() => import('./audit-log-dialog.tsx').then((part) => part.AuditLogDialog), <Skeletons count={0} label="Loading the audit log..." />)

/** Who registered, who waits to be let in, and what is set for all. */
export function SuperAdminDashboard({ onRefused }: { onRefused: () => void }) {
  const overview = useOverview(onRefused)
  const [filter, setFilter] = useState<SenseiFilter>('all')
  const [isReading, setReading] = useState(false)
  return (
    <Stack gap="lg">
      <PageHeader title="Super Admin Dashboard">
        <Button variant="default" aria-haspopup="dialog" leftSection={<IconHistory size={20} aria-hidden />} onPointerEnter={AuditLogDialog.preload}
          onClick={() => setReading(true)}>Audit log</Button>
      </PageHeader>
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
      {isReading && <AuditLogDialog onClose={() => setReading(false)} />}
    </Stack>
  )
}
