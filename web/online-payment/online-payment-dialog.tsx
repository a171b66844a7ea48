import { onlinePaymentApi } from '@tatami/contract/online-payment/online-payment'
import { useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { SERVER_CHECKED_SCHEMA, serverCheckedProgress } from '../accounts/server-checked-form.ts'
import { serverErrors, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

const DIALOGS = {
  remove: {
    endpoint: onlinePaymentApi.removeAccount,
    title: 'Turn off online payment',
    text:
      'Links and autopay stop right away, and your key is deleted. Payments that were made stay. ' +
      'Bank payments that are on their way will not be recorded here. Refund and answer disputes ' +
      'in Stripe.',
    submitLabel: 'Turn off',
    busyLabel: 'Turning off...',
    failure: 'Online payment could not be turned off. Please try again.',
  },
  stop_simulation: {
    endpoint: onlinePaymentApi.removeAccount,
    title: 'Stop trying it out',
    text: 'Pay links stop working, and the pretend payments are gone.',
    submitLabel: 'Stop',
    busyLabel: 'Stopping...',
    failure: 'This could not be stopped. Please try again.',
  },
  confirm: {
    endpoint: onlinePaymentApi.confirmServer,
    title: 'Take payments on this server?',
    text:
      'Do this only if the old server is gone. Two servers with the same data could take the ' +
      'same payment twice.',
    submitLabel: 'Take payments',
    busyLabel: 'Confirming...',
    failure: 'This could not be saved. Please try again.',
  },
}

export type OnlinePaymentDialogKind = keyof typeof DIALOGS
type Props = { kind: OnlinePaymentDialogKind; onClose: () => void }

export function OnlinePaymentDialog({ kind, onClose }: Props) {
  const { endpoint, title, text, submitLabel, busyLabel, failure } = DIALOGS[kind]
  const [needsPassword, setNeedsPassword] = useState(false)
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, { current_password: '' })
  const change = useEndpointMutation(endpoint, {
    refreshes: [onlinePaymentApi.setUp, onlinePaymentApi.status],
    onSuccess: onClose,
    onError: (error) => {
      if ('current_password' in serverErrors(error)) setNeedsPassword(true)
      form.showRefusal(error)
    },
  })
  return (
    <FormDialog
      title={title}
      size="small"
      onClose={onClose}
      onSubmit={form.send((body) => change.isPending || change.mutate({ body }))}
      {...serverCheckedProgress(form, change, failure)}
      submitLabel={submitLabel}
      busyLabel={busyLabel}
    >
      <p>{text}</p>
      {needsPassword && (
        <PasswordField
          {...form.getInputProps('current_password')}
          label="Your Tatami password"
          autoComplete="current-password"
        />
      )}
    </FormDialog>
  )
}
