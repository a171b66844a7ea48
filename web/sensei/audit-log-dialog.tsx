import { Button, Stack } from '@mantine/core'
import { senseiApi } from '@tatami/contract/sensei'
import { usePages } from '../lib/pages.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { AuditLines } from './audit-lines.tsx'

const LINES = 50

/** What was done by whom, for when somebody asks. */
export function AuditLogDialog({ loading, onClose }: { loading: string; onClose: () => void }) {
  const log = usePages(senseiApi.auditLog, { limit: LINES })
  const lines = log.rows
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Audit log"
      size="large"
      actions={
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      }
    >
      <Stack gap="md">
        {!lines && !log.isError && <Skeletons count={6} height={72} label={loading} />}
        {lines?.length === 0 && <EmptyState>Nothing has been done yet.</EmptyState>}
        {lines && lines.length > 0 && <AuditLines lines={lines} />}
        <MoreRows of={log} failed="The audit log could not be loaded." />
      </Stack>
    </Sheet>
  )
}
