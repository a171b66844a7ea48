import { formatMoney } from '@tatami/contract/lib/money'
import {
  onlinePaymentApi,
  type OnlinePaymentSetup,
} from '@tatami/contract/online-payment/online-payment'
import { useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { SERVER_CHECKED_SCHEMA, serverCheckedProgress } from '../accounts/server-checked-form.ts'
import { serverErrors, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

const DIALOGS = {
  remove: {
    endpoint: onlinePaymentApi.removeAccount,
    title: 'Turn off online payment',
    text:
      'Pay links stop right away, and your key is deleted. Payments that were made stay. Refund ' +
      'and answer disputes in Stripe.',
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
type Props = { kind: OnlinePaymentDialogKind; setup: OnlinePaymentSetup; onClose: () => void }

export function OnlinePaymentDialog({ kind, setup, onClose }: Props) {
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
      {kind === 'remove' && <WhatStops setup={setup} />}
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

/** Who is affected right now. */
const WhatStops = ({ setup: { on_its_way, autopay_payers } }: Pick<Props, 'setup'>) => (
  <>
    {on_its_way > 0 && (
      <p>
        {formatMoney(on_its_way)} is on its way from banks. It arrives at Stripe, and is recorded
        here only if you enter a key of the same Stripe account again.
      </p>
    )}
    {autopay_payers > 0 && (
      <p>
        {pluralize(autopay_payers, 'payer')} {autopay_payers === 1 ? 'has' : 'have'} autopay. They
        are told that nothing more is charged.
      </p>
    )}
  </>
)
