import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { classesApi, type DojoClass } from '@tatami/contract/classes'
import { explain } from '../lib/api.ts'
import { endpointQuery } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import styles from './delete-class-dialog.module.css'
import type { useClassRemoval } from './use-class-removal.ts'
import { deletionSummary } from './deletion-summary.ts'

type Props = { dojoClass: DojoClass; removal: ReturnType<typeof useClassRemoval>; onClose: () => void }

export function DeleteClassDialog({ dojoClass: { id, class_name }, removal, onClose }: Props) {
  const { data: impact } = useQuery(endpointQuery(classesApi.deletionImpact, { params: { id } }))
  return (
    <ConfirmDialog
      opened
      danger
      title={`Delete ${class_name}?`}
      confirm="Delete"
      busy={removal.isPending}
      busyLabel="Deleting..."
      onClose={onClose}
      onConfirm={() => removal.mutate({ params: { id } })}
      error={removal.isError ? explain(removal.error, 'Failed to delete class') : null}
    >
      <Stack gap="sm" className={styles.words}>
        <p>Are you sure you want to delete this class? This action cannot be undone.</p>
        <p>{deletionSummary(impact)}</p>
      </Stack>
    </ConfirmDialog>
  )
}
