import { NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { consentRecord, conversationsApi, phoneLinkForm } from '@tatami/contract/conversations'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { formatPhone } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

type Props = { phone: string; onClose: () => void }

/** Says whose number an unknown one is. */
export function LinkDialog({ phone, onClose }: Props) {
  const students = useQuery(endpointQuery(conversationsApi.people))
  const form = useSchemaForm(phoneLinkForm, { student_id: '', holder_name: '' })
  const { phone: info, thread, conversations } = conversationsApi
  const link = useEndpointMutation(conversationsApi.link, {
    refreshes: [info, thread, conversations],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={`Whose number is ${formatPhone(phone)}?`}
      onClose={onClose}
      onSubmit={form.send((body) => link.isPending || link.mutate({ params: { phone }, body }))}
      unsent={form.isDirty()}
      busy={link.isPending}
      error={link.error && errorMessage(link.error, 'The number could not be linked.')}
      submit="Link"
      submitting="Linking..."
    >
      <Stack gap="md">
        <Text>What comes from this number bears the student’s name from now on. Texts to many do not go to it.</Text>
        {students.isError && <ErrorNotice onRetry={() => void students.refetch()}>Your students could not be loaded.</ErrorNotice>}
        <NativeSelect
          label="Student"
          data={[
            { label: 'Choose a student', value: '' },
            ...(students.data ?? []).map(({ student_id, name }) => ({ label: name, value: student_id })),
          ]}
          {...form.getInputProps('student_id')}
        />
        <TextInput
          label="Who answers it"
          description="For example a grandmother. May be left empty."
          maxLength={100}
          {...form.getInputProps('holder_name')}
        />
      </Stack>
    </FormDialog>
  )
}

const NOTHING: { event: 'given' | 'revoked'; given_by: string } = { event: 'given', given_by: '' }

/** Records what somebody has signed on paper, or said. */
export function ConsentDialog({ phone, onClose }: Props) {
  const form = useSchemaForm(consentRecord, NOTHING)
  useDraft('text-consent', form, phone)
  const add = useEndpointMutation(conversationsApi.addConsent, {
    refreshes: [conversationsApi.phone],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Record consent"
      onClose={onClose}
      onSubmit={form.send((body) => add.isPending || add.mutate({ params: { phone }, body }))}
      unsent={form.isDirty()}
      busy={add.isPending}
      error={add.error && errorMessage(add.error, 'The consent could not be recorded.')}
      submit="Record"
      submitting="Recording..."
    >
      <Stack gap="md">
        <Text>For texts to {formatPhone(phone)}. What is recorded stays: an end is a record of its own.</Text>
        <NativeSelect
          label="What happened"
          data={[
            { label: 'Agreed to texts on paper', value: 'given' },
            { label: 'No longer agrees', value: 'revoked' },
          ]}
          {...form.getInputProps('event')}
        />
        <TextInput label="Who" maxLength={100} {...form.getInputProps('given_by')} />
      </Stack>
    </FormDialog>
  )
}
