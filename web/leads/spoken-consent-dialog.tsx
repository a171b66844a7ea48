import { Textarea, TextInput } from '@mantine/core'
import { leadsApi } from '@tatami/contract/leads/leads'
import { spokenConsentForm } from '@tatami/contract/leads/spoken-consent'
import { progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { LEAD_QUERIES } from './lead-queries.ts'

export const SPOKEN_CONSENT_DRAFT = 'spoken-consent'

type Props = { leadId: string; onClose: () => void }

/** Writes down what a lead said about texts. The phone is then asked once to reply YES. */
export function SpokenConsentDialog({ leadId, onClose }: Props) {
  const form = useSchemaForm(spokenConsentForm, { said_on: today(), words: '' })
  useDraft(SPOKEN_CONSENT_DRAFT, form, leadId)
  const record = useEndpointMutation(leadsApi.recordSpokenConsent, {
    refreshes: LEAD_QUERIES,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="They said yes to texts"
      size="small"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send(
        (body) => record.isPending || record.mutate({ params: { id: leadId }, body }),
      )}
      {...progressProps(record, 'This could not be saved. Please try again.')}
      submitLabel="Save and ask"
      busyLabel="Saving..."
    >
      <p>
        Tatami sends one text that asks for a YES. You can text this person after they reply YES.
      </p>
      <TextInput type="date" label="Day" required {...form.getInputProps('said_on')} />
      <Textarea
        label="What they said"
        placeholder="Sure, just text me"
        required
        autosize
        minRows={2}
        {...form.getInputProps('words')}
      />
    </FormDialog>
  )
}
