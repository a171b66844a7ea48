import { senseiApi, senseiRegistration } from '@tatami/contract/sensei'
import { explain } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FormNotice } from '../ui/form-notice.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { RegistrationFields } from './registration-fields.tsx'
import { EMPTY_REGISTRATION, registrationToWire } from './registration-form.ts'
import { RegistrationReceived } from './registration-received.tsx'

export function RegistrationDialog({ title, onClose }: { title: string; onClose: () => void }) {
  const form = useSchemaForm(senseiRegistration, EMPTY_REGISTRATION, registrationToWire)
  const register = useEndpointMutation(senseiApi.register, { onError: form.showRefusal })
  if (register.data) return <RegistrationReceived onClose={onClose}>{register.data.message}</RegistrationReceived>
  return (
    <Sheet
      opened
      onClose={onClose}
      title={title}
      onSubmit={form.send((body) => register.isPending || register.mutate({ body }))}
      busy={register.isPending}
      unsent={form.isDirty()}
      actions={
        <>
          <FormNotice>{register.error && explain(register.error, 'Failed to create account')}</FormNotice>
          <CancelButton />
          <BusyButton type="submit" busy={register.isPending} busyLabel="Signing up...">
            Create Account
          </BusyButton>
        </>
      }
    >
      <RegistrationFields form={form} />
    </Sheet>
  )
}
