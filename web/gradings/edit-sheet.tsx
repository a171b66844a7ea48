import { Button } from '@mantine/core'
import { gradingForm, type Grading, gradingsApi } from '@tatami/contract/gradings/gradings'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { EDIT_DRAFT } from './drafts.ts'
import { GradingFields, toRequestBody, toFormValues } from './grading-fields.tsx'
import { showGrading } from './result-outbox.ts'
import { forgetGrading } from './stored-gradings.ts'

type Props = { grading: Grading; onClose: () => void; onRemoved: () => void }

export function EditSheet({ grading, onClose, onRemoved }: Props) {
  const { id, name, candidates } = grading
  const form = useSchemaForm(gradingForm, toFormValues(grading), toRequestBody)
  useDraft(EDIT_DRAFT, form, id)
  const [isRemoving, setRemoving] = useState(false)
  const save = useEndpointMutation(gradingsApi.change, {
    onSuccess: async (savedGrading) => {
      await showGrading(savedGrading)
      onClose()
    },
    onError: form.showRefusal,
  })
  const remove = useEndpointMutation(gradingsApi.remove, {
    refreshes: [gradingsApi.list],
    onSuccess: () => {
      void forgetGrading(id)
      onRemoved()
    },
  })
  const paidCount = candidates.filter(({ fee_state }) => fee_state === 'paid').length
  return (
    <>
      <FormDialog
        title={`Change ${schoolBeltTestName().singular}`}
        onClose={onClose}
        onSubmit={form.send((body) => save.isPending || save.mutate({ params: { id }, body }))}
        isLocked={isRemoving}
        isDirty={form.isDirty()}
        {...progressProps(save, 'Your changes could not be saved. Please try again.')}
        submitLabel="Save"
        busyLabel="Saving..."
        extraAction={
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        }
      >
        <GradingFields form={form} />
      </FormDialog>
      <ConfirmDialog
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate({ params: { id } })}
        title={`Remove ${name}?`}
        confirmLabel="Remove"
        busyLabel="Removing..."
        {...progressProps(
          remove,
          `The ${schoolBeltTestName().singular} could not be removed. Please try again.`,
        )}
        danger
      >
        This also removes {pluralize(candidates.length, 'candidate')} with their answers and
        results. Unpaid fees are written off.
        {paidCount > 0 && ` ${describePaidFees(paidCount)}`}
      </ConfirmDialog>
    </>
  )
}

const describePaidFees = (count: number) =>
  count === 1
    ? '1 paid fee stays on the student’s account.'
    : `${count} paid fees stay on the students’ accounts.`
