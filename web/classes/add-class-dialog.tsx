import { Stack } from '@mantine/core'
import { classesApi } from '@tatami/contract/classes'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/drafts.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ClassFields, EMPTY_CLASS_FORM, type SavePlaces, useClassForm } from './class-form.tsx'

type Props = { savePlaces: SavePlaces; onClose: () => void }

export function AddClassDialog({ savePlaces, onClose }: Props) {
  const form = useClassForm(EMPTY_CLASS_FORM)
  useDraft('add-class', form)
  const create = useEndpointMutation(classesApi.create, { refreshes: [classesApi.list] })
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // Where only its places could not be saved, it is not created a second time.
  const [createdId, setCreatedId] = useState<string>()
  const save = form.send(async ({ places, ...body }) => {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      const id = createdId ?? (await create.mutateAsync({ body })).id
      setCreatedId(id)
      if (places !== null) await savePlaces(id, places)
      onClose()
    } catch (failure) {
      setError(failure)
      form.showRefusal(failure)
      setBusy(false)
    }
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Add New Class"
      onSubmit={save}
      busy={busy}
      unsent={form.isDirty()}
      // Cancel resets the form (specification, section 4).
      cancelDiscards
      submit="Create Class"
      submitting="Creating..."
    >
      <Stack gap="md">
        <ClassFields form={form} />
        <ErrorNotice>{error !== null && errorMessage(error, 'Failed to create class')}</ErrorNotice>
      </Stack>
    </FormDialog>
  )
}
