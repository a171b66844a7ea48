import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { familiesApi } from '@tatami/contract/families/families'
import { type Child, contactChange } from '@tatami/contract/families/family-home'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointKey, useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

type Props = { child: Child; onClose: () => void }

export function ContactDialog({ child: { id, name, contact }, onClose }: Props) {
  const form = useSchemaForm(contactChange, {
    phone_number: contact?.phone_number ?? '',
    emergency_contact_name: contact?.emergency_contact_name ?? '',
    emergency_contact_phone: contact?.emergency_contact_phone ?? '',
  })
  useDraft('contacts', form, id)
  const cache = useQueryClient()
  const save = useEndpointMutation(familiesApi.changeContact, {
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: [endpointKey(familiesApi.home)] })
      onClose()
    },
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Contacts for ${name}`}
      onSubmit={form.send((body) => save.isPending || save.mutate({ params: { id }, body }))}
      isDirty={form.isDirty()}
      {...progressProps(save, 'The contacts could not be saved.')}
      submitLabel="Save Changes"
      busyLabel="Saving..."
    >
      <TextInput
        {...form.getInputProps('phone_number')}
        label="Phone number"
        type="tel"
        autoComplete="off"
      />
      <TextInput
        {...form.getInputProps('emergency_contact_name')}
        label="Emergency contact name"
        autoComplete="off"
        autoCapitalize="words"
      />
      <TextInput
        {...form.getInputProps('emergency_contact_phone')}
        label="Emergency contact phone"
        type="tel"
        autoComplete="off"
      />
    </FormDialog>
  )
}
