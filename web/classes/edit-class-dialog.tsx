import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { classesApi, type DojoClass } from '@tatami/contract/classes'
import { useState } from 'react'
import { explain } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/use-draft.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { ClassFields, fieldsOf, useClassForm } from './class-form.tsx'
import { deletionSummary } from './deletion-summary.ts'
import styles from './edit-class-dialog.module.css'
import { useClassRemoval } from './use-class-removal.ts'

export function EditClassDialog({ dojoClass, onClose }: { dojoClass: DojoClass; onClose: () => void }) {
  const [deleting, setDeleting] = useState(false)
  const form = useClassForm(fieldsOf(dojoClass))
  useDraft('edit-class', form, dojoClass.id)
  const removal = useClassRemoval({ onDone: onClose })
  const update = useEndpointMutation(classesApi.update, { refreshes: [classesApi.list], onSuccess: onClose, onError: form.showRefusal })
  const askToDelete = () => {
    removal.reset()
    setDeleting(true)
  }
  const params = { id: dojoClass.id }
  const save = form.send((body) => update.isPending || update.mutate({ params, body }))
  return (
    <>
      <Sheet
        opened
        onClose={onClose}
        title="Edit Class"
        onSubmit={save}
        busy={update.isPending}
        unsent={form.isDirty()}
        locked={removal.isPending}
        actions={
          <>
            <Button variant="subtle" color="red" mr="auto" onClick={askToDelete} disabled={update.isPending}>
              Delete Class
            </Button>
            {/* Cancel resets the form (specification, section 4). */}
            <CancelButton discards />
            <BusyButton type="submit" busy={update.isPending} busyLabel="Updating...">
              Update Class
            </BusyButton>
          </>
        }
      >
        <Stack gap="md">
          <ClassFields form={form} />
          <ErrorNotice>{update.isError && explain(update.error, 'Failed to update class')}</ErrorNotice>
        </Stack>
      </Sheet>
      {deleting && <DeleteClassDialog dojoClass={dojoClass} removal={removal} onClose={() => setDeleting(false)} />}
    </>
  )
}

type DeleteDialogProps = { dojoClass: DojoClass; removal: ReturnType<typeof useClassRemoval>; onClose: () => void }

function DeleteClassDialog({ dojoClass: { id, class_name }, removal, onClose }: DeleteDialogProps) {
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
      <Stack gap="sm" className={styles.consequences}>
        <p>Are you sure you want to delete this class? This action cannot be undone.</p>
        <p>{deletionSummary(impact)}</p>
      </Stack>
    </ConfirmDialog>
  )
}
