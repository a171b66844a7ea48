import { Button, Stack } from '@mantine/core'
import { classesApi, type DojoClass } from '@tatami/contract/classes'
import { useState } from 'react'
import { explain } from '../kernel/api.ts'
import { useEndpointMutation } from '../kernel/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { ClassFields } from './class-fields.tsx'
import { DeleteClassDialog } from './delete-class-dialog.tsx'
import { fieldsOf, useClassForm } from './use-class-form.ts'

export function EditClassDialog({ dojoClass, onClose }: { dojoClass: DojoClass; onClose: () => void }) {
  const [deleting, setDeleting] = useState(false)
  const form = useClassForm(fieldsOf(dojoClass))
  const update = useEndpointMutation(classesApi.update, { refreshes: [classesApi.list], onSuccess: onClose, onError: form.showRefusal })
  const params = { id: dojoClass.id }
  const close = () => update.isPending || onClose()
  const save = form.send((body) => update.isPending || update.mutate({ params, body }))
  return (
    <>
      <Sheet
        opened
        onClose={close}
        title="Edit Class"
        onSubmit={save}
        actions={
          <>
            <Button variant="subtle" color="red" mr="auto" onClick={() => setDeleting(true)} disabled={update.isPending}>
              Delete Class
            </Button>
            <Button variant="default" onClick={close} disabled={update.isPending}>
              Cancel
            </Button>
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
      {deleting && <DeleteClassDialog dojoClass={dojoClass} onClose={() => setDeleting(false)} onDeleted={onClose} />}
    </>
  )
}
