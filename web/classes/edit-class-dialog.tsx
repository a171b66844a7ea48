import { Button, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import { useState } from 'react'
import { failureMessage, progressProps } from '../lib/api.ts'
import { endpointQuery, reloadOnOpen, useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/drafts.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import {
  ClassFields,
  classToForm,
  type NewClass,
  type SavePlaces,
  useClassForm,
} from './class-form.tsx'
import { summarizeDeletion } from './deletion-summary.ts'
import styles from './edit-class-dialog.module.css'
import { useDeleteClass } from './use-delete-class.ts'

type Props = { dojoClass: DojoClass; savePlaces: SavePlaces; onClose: () => void }

function useUpdateClass() {
  const client = useQueryClient()
  return useEndpointMutation(classesApi.update, {
    refreshes: [classesApi.list],
    onSuccess: () => reloadOnOpen(client),
  })
}

export function EditClassDialog({ dojoClass, savePlaces, onClose }: Props) {
  const [isDeleting, setIsDeleting] = useState(false)
  const form = useClassForm(classToForm(dojoClass))
  useDraft('edit-class', form, dojoClass.id)
  const deletion = useDeleteClass({ onDone: onClose })
  const update = useUpdateClass()
  const confirmDeletion = () => {
    deletion.reset()
    setIsDeleting(true)
  }
  const { id } = dojoClass
  const save = useMutation<void, Error, NewClass>({
    mutationFn: async ({ places, ...body }) => {
      await update.mutateAsync({ params: { id }, body })
      if (places !== dojoClass.places) await savePlaces(id, places)
    },
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <>
      <FormDialog
        onClose={onClose}
        title="Edit Class"
        onSubmit={form.send((values) => save.isPending || save.mutate(values))}
        busy={save.isPending}
        isDirty={form.isDirty()}
        isLocked={deletion.isPending}
        // Cancel resets the form (specification, section 4).
        cancelDiscards
        extraAction={
          <Button
            variant="subtle"
            color="red"
            mr="auto"
            onClick={confirmDeletion}
            disabled={save.isPending}
          >
            Delete Class
          </Button>
        }
        submitLabel="Update Class"
        busyLabel="Updating..."
      >
        <ClassFields form={form} />
        <ErrorNotice>{failureMessage(save, 'Failed to update class')}</ErrorNotice>
      </FormDialog>
      {isDeleting && (
        <DeleteClassDialog
          dojoClass={dojoClass}
          deletion={deletion}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </>
  )
}

type DeleteDialogProps = {
  dojoClass: DojoClass
  deletion: ReturnType<typeof useDeleteClass>
  onClose: () => void
}

function DeleteClassDialog({
  dojoClass: { id, class_name },
  deletion,
  onClose,
}: DeleteDialogProps) {
  const { data: impact } = useQuery(endpointQuery(classesApi.deletionImpact, { params: { id } }))
  return (
    <ConfirmDialog
      opened
      danger
      title={`Delete ${class_name}?`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onClose={onClose}
      onConfirm={() => deletion.mutate({ params: { id } })}
      {...progressProps(deletion, 'Failed to delete class')}
    >
      <Stack gap="sm" className={styles.consequences}>
        <p>Are you sure you want to delete this class? This action cannot be undone.</p>
        <p>{summarizeDeletion(impact)}</p>
      </Stack>
    </ConfirmDialog>
  )
}
