import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { type Autopay, payerHomeApi } from '@tatami/contract/online-payment/payer-home'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice, Warning } from '../ui/notices.tsx'
import styles from './payer-panel.module.css'
import kit from '../ui/kit.module.css'

/** What autopay leaves out, because it was paid once. One tap pays it. */
export function LeftOutNote({ lines }: { lines: Autopay['left_out'] }) {
  const amount = sumDollars(lines.map((line) => line.amount))
  const pay = useEndpointMutation(payerHomeApi.pay, {
    refreshes: [payerHomeApi.home],
    onSuccess: ({ url }) => url !== null && location.assign(url),
  })
  if (lines.length === 0) return null
  const names = lines.map((line) => `${line.name}, ${formatMoney(line.amount)}`)
  return (
    <div className={kit.stackSmall}>
      <Warning>
        {`Autopay leaves this out, because it was paid before and is owed again: ${names.join('; ')}. ` +
          'If you think you have paid it, please ask your school.'}
      </Warning>
      <ErrorNotice>
        {pay.error && errorMessage(pay.error, 'This did not work. Please try again.')}
      </ErrorNotice>
      <div className={styles.actions}>
        <BusyButton
          variant="default"
          busy={pay.isPending}
          busyLabel="Opening..."
          onClick={() => pay.mutate({ body: { amount, is_left_out: true } })}
        >
          Pay it now
        </BusyButton>
      </div>
    </div>
  )
}
