import { Button, Stack } from '@mantine/core'
import { classesApi, type DojoClass } from '@tatami/contract/classes'
import { useState } from 'react'
import { explain } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/use-draft.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { ClassFields } from './class-fields.tsx'
import { DeleteClassDialog } from './delete-class-dialog.tsx'
import { fieldsOf, useClassForm } from './use-class-form.ts'
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
