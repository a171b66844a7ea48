import { NativeSelect, Text, TextInput } from '@mantine/core'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { consentRecord } from '@tatami/contract/texting/phones'
import { studentConsentsApi } from '@tatami/contract/texting/student-consents'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { formatPhone } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

type Props = { phone: string; onClose: () => void; onRecorded?: () => void }

const EMPTY_FORM: { event: 'given' | 'revoked'; given_by: string } = {
  event: 'given',
  given_by: '',
}

export function ConsentDialog({ phone, onClose, onRecorded }: Props) {
  const form = useSchemaForm(consentRecord, EMPTY_FORM)
  useDraft('text-consent', form, phone)
  const add = useEndpointMutation(conversationsApi.addConsent, {
    refreshes: [conversationsApi.phone, conversationsApi.studentPhones, studentConsentsApi.list],
    onSuccess: () => {
      onRecorded?.()
      onClose()
    },
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Record consent"
      onClose={onClose}
      onSubmit={form.send((body) => add.isPending || add.mutate({ params: { phone }, body }))}
      isDirty={form.isDirty()}
      {...progressProps(add, 'The consent could not be recorded.')}
      submitLabel="Record"
      busyLabel="Recording..."
    >
      <Text>
        For texts to {formatPhone(phone)}. Records can’t be changed. If they change their mind, add
        a new one.
      </Text>
      <NativeSelect
        label="What happened"
        data={[
          { label: 'Agreed to texts on paper', value: 'given' },
          { label: 'No longer agrees', value: 'revoked' },
        ]}
        {...form.getInputProps('event')}
      />
      <TextInput label="Who" maxLength={100} {...form.getInputProps('given_by')} />
    </FormDialog>
  )
}
