import { useMutation, useQueryClient } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes/classes'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { reloadOnOpen, useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/drafts.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import {
  ClassFields,
  EMPTY_CLASS_FORM,
  type NewClass,
  type SavePlaces,
  useClassForm,
} from './class-form.tsx'

type Props = { savePlaces: SavePlaces; onClose: () => void }

export function AddClassDialog({ savePlaces, onClose }: Props) {
  const form = useClassForm(EMPTY_CLASS_FORM)
  useDraft('add-class', form)
  const client = useQueryClient()
  const create = useEndpointMutation(classesApi.create, {
    refreshes: [classesApi.list],
    onSuccess: () => reloadOnOpen(client),
  })
  // If saving the places fails, a retry must not create the class a second time.
  const [createdId, setCreatedId] = useState<string>()
  const save = useMutation<void, Error, NewClass>({
    mutationFn: async ({ places, ...body }) => {
      const id = createdId ?? (await create.mutateAsync({ body })).id
      setCreatedId(id)
      if (places !== null) await savePlaces(id, places)
    },
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Add New Class"
      onSubmit={form.send((values) => save.isPending || save.mutate(values))}
      busy={save.isPending}
      isDirty={form.isDirty()}
      // Cancel resets the form (specification, section 4).
      cancelDiscards
      submitLabel="Create Class"
      busyLabel="Creating..."
    >
      <ClassFields form={form} />
      <ErrorNotice>{failureMessage(save, 'Failed to create class')}</ErrorNotice>
    </FormDialog>
  )
}
