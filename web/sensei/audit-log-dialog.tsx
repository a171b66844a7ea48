import { Button, Stack } from '@mantine/core'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { AuditLines } from './audit-lines.tsx'
import { useAuditLog } from './use-audit-log.ts'

/** What was done by whom, for when somebody asks. */
export function AuditLogDialog({ loading, onClose }: { loading: string; onClose: () => void }) {
  const log = useAuditLog()
  const { lines } = log
  const retry = () => void (lines ? log.fetchNextPage() : log.refetch())
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
        {log.isError && !log.isFetching && <ErrorNotice onRetry={retry}>The audit log could not be loaded.</ErrorNotice>}
        {log.hasNextPage && (
          <BusyButton variant="default" busy={log.isFetchingNextPage} busyLabel="Loading..." onClick={() => void log.fetchNextPage()}>
            Show more
          </BusyButton>
        )}
      </Stack>
    </Sheet>
  )
}
