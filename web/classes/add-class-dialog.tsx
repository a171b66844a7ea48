import { Stack } from '@mantine/core'
import { classesApi } from '@tatami/contract/classes'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/drafts.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ClassFields, EMPTY_CLASS_FORM, useClassForm } from './class-form.tsx'

export function AddClassDialog({ onClose }: { onClose: () => void }) {
  const form = useClassForm(EMPTY_CLASS_FORM)
  useDraft('add-class', form)
  const create = useEndpointMutation(classesApi.create, { refreshes: [classesApi.list], onSuccess: onClose, onError: form.showRefusal })
  const save = form.send((body) => create.isPending || create.mutate({ body }))
  return (
    <FormDialog
      onClose={onClose}
      title="Add New Class"
      onSubmit={save}
      busy={create.isPending}
      unsent={form.isDirty()}
      // Cancel resets the form (specification, section 4).
      cancelDiscards
      submit="Create Class"
      submitting="Creating..."
    >
      <Stack gap="md">
        <ClassFields form={form} />
        <ErrorNotice>{create.isError && errorMessage(create.error, 'Failed to create class')}</ErrorNotice>
      </Stack>
    </FormDialog>
  )
}
