import { formatMoney } from '@tatami/contract/lib/money'
import { payerHomeApi, type StudentAutopay } from '@tatami/contract/online-payment/payer-home'
import { progressProps } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import kit from '../ui/kit.module.css'

type LeftOutCharge = NonNullable<StudentAutopay['autopay']>['left_out'][number]
type Props = { studentId: string; charge: LeftOutCharge }

/** For staff: a charge that autopay leaves out until somebody says that it is really owed. */
export function LeftOutChargeRow({ studentId, charge: { charge_id, name, amount } }: Props) {
  const allow = useEndpointMutation(payerHomeApi.allowCharge, {
    refreshes: [payerHomeApi.ofStudent],
  })
  const { busy, error } = progressProps(allow, 'This could not be saved. Please try again.')
  const money = amount === null ? '' : `, ${formatMoney(amount)}`
  return (
    <div className={kit.stackTight}>
      <div className={kit.spread}>
        <p>{`Autopay leaves out ${name}${money}, because its payment was undone.`}</p>
        <BusyButton
          variant="default"
          busy={busy}
          busyLabel="Saving..."
          onClick={() => allow.mutate({ params: { id: studentId }, body: { charge_id } })}
        >
          Autopay may take it
        </BusyButton>
      </div>
      <ErrorNotice>{error}</ErrorNotice>
    </div>
  )
}
