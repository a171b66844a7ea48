import { formatMoney } from '@tatami/contract/lib/money'
import { type PayerHome, payerHomeApi } from '@tatami/contract/online-payment/payer-home'
import { progressProps } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

/** The second of the two taps that stop autopay. */
export function StopAutopayDialog({ home, onClose }: { home: PayerHome; onClose: () => void }) {
  const stop = useEndpointMutation(payerHomeApi.stop, {
    refreshes: [payerHomeApi.home],
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title="Turn off autopay?"
      size="small"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        if (!stop.isPending) stop.mutate({})
      }}
      {...progressProps(stop, 'Autopay could not be turned off. Please try again.')}
      submitLabel="Turn off"
      busyLabel="Turning off..."
    >
      <p>
        Nothing more is charged automatically, and your card or bank account is no longer saved.
      </p>
      {home.on_its_way > 0 && (
        <p>
          {formatMoney(home.on_its_way)} is already on its way from your bank and still arrives.
        </p>
      )}
    </FormDialog>
  )
}
