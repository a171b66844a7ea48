import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { classesApi, type DojoClass } from '@tatami/contract/classes'
import { explain } from '../lib/api.ts'
import { endpointQuery } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import styles from './delete-class-dialog.module.css'
import type { useClassRemoval } from './use-class-removal.ts'
import { whatGoes } from './what-goes.ts'

type Props = { dojoClass: DojoClass; removal: ReturnType<typeof useClassRemoval>; onClose: () => void }

export function DeleteClassDialog({ dojoClass: { id, class_name }, removal, onClose }: Props) {
  const { data: traces } = useQuery(endpointQuery(classesApi.traces, { params: { id } }))
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
        <p>{whatGoes(traces)}</p>
      </Stack>
    </ConfirmDialog>
  )
}
