import { Textarea } from '@mantine/core'
import { eventForm, leadsApi } from '@tatami/contract/leads/leads'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { LEAD_QUERIES } from './lead-queries.ts'

export const LEAD_NOTE_DRAFT = 'lead-note'

type Props = { leadId: string; kind: 'note' | 'lost'; onClose: () => void }

/** Writes a note, or the reason why a lead will not join. */
export function NoteDialog({ leadId, kind, onClose }: Props) {
  const form = useSchemaForm(eventForm, { note: '' }, ({ note }) => ({ kind, note }))
  useDraft(LEAD_NOTE_DRAFT, form, leadId)
  const addEvent = useEndpointMutation(leadsApi.addEvent, {
    refreshes: LEAD_QUERIES,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={kind === 'lost' ? 'Why won’t they join?' : 'Add a note'}
      size="small"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send(
        (body) => addEvent.isPending || addEvent.mutate({ params: { id: leadId }, body }),
      )}
      {...progressProps(addEvent, 'The note could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <Textarea
        label={kind === 'lost' ? 'Reason' : 'Note'}
        required
        autosize
        minRows={3}
        {...form.getInputProps('note')}
      />
    </FormDialog>
  )
}
