import { Button, Stack } from '@mantine/core'
import { classesApi } from '@tatami/contract/classes'
import { explain } from '../kernel/api.ts'
import { useEndpointMutation } from '../kernel/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { ClassFields } from './class-fields.tsx'
import { NEW_CLASS, useClassForm } from './use-class-form.ts'

export function AddClassDialog({ onClose }: { onClose: () => void }) {
  const form = useClassForm(NEW_CLASS)
  const create = useEndpointMutation(classesApi.create, { refreshes: [classesApi.list], onSuccess: onClose, onError: form.showRefusal })
  const close = () => create.isPending || onClose()
  const save = form.send((body) => create.isPending || create.mutate({ body }))
  return (
    <Sheet
      opened
      onClose={close}
      title="Add New Class"
      onSubmit={save}
      actions={
        <>
          <Button variant="default" onClick={close} disabled={create.isPending}>
            Cancel
          </Button>
          <BusyButton type="submit" busy={create.isPending} busyLabel="Creating...">
            Create Class
          </BusyButton>
        </>
      }
    >
      <Stack gap="md">
        <ClassFields form={form} />
        <ErrorNotice>{create.isError && explain(create.error, 'Failed to create class')}</ErrorNotice>
      </Stack>
    </Sheet>
  )
}
