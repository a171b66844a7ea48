import { Button, TextInput } from '@mantine/core'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { kiosksApi, pinForm } from '@tatami/contract/kiosk/kiosks'
import { failureMessage } from '../lib/api.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { firstName } from '@tatami/contract/lib/name-parts'
import { FormDialog } from '../ui/form-dialog.tsx'

type Props = {
  student: { id: string; name: string }
  hasPin: boolean
  refreshes: readonly Endpoint[]
  onClose: () => void
}

const MAX_DIGITS = 6
const keepDigits = (text: string) => text.replace(/\D/g, '').slice(0, MAX_DIGITS)

export function PinDialog({ student: { id, name }, hasPin, refreshes, onClose }: Props) {
  const form = useSchemaForm(pinForm, { pin: '' })
  const save = useEndpointMutation(kiosksApi.setPin, {
    refreshes,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  const remove = useEndpointMutation(kiosksApi.removePin, { refreshes, onSuccess: onClose })
  const busy = save.isPending || remove.isPending
  const error = save.error ?? remove.error
  const field = form.getInputProps('pin')
  return (
    <FormDialog
      title={`${firstName(name)}’s PIN`}
      size="small"
      onClose={onClose}
      onSubmit={form.send((body) => busy || save.mutate({ params: { id }, body }))}
      isDirty={form.isDirty()}
      busy={busy}
      error={failureMessage({ error }, 'The PIN could not be saved. Please try again.')}
      submitLabel="Save PIN"
      busyLabel="Saving..."
      extraAction={
        hasPin && (
          <Button
            variant="subtle"
            color="red"
            disabled={busy}
            onClick={() => busy || remove.mutate({ params: { id } })}
          >
            Remove PIN
          </Button>
        )
      }
    >
      <TextInput
        {...field}
        onChange={(event) => form.setFieldValue('pin', cleanTypedText(event, keepDigits))}
        label={hasPin ? 'New PIN' : 'PIN'}
        description="4 to 6 digits. Write them down: we can’t show them again."
        required
        inputMode="numeric"
        autoComplete="off"
      />
    </FormDialog>
  )
}
