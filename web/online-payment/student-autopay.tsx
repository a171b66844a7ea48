import { Button } from '@mantine/core'
import {
  type StudentAutopay as Payer,
  payerHomeApi,
} from '@tatami/contract/online-payment/payer-home'
import { formatMoney } from '@tatami/contract/lib/money'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LeftOutChargeRow } from './left-out-charges.tsx'
import { describeMethod } from './method-words.ts'
import kit from '../ui/kit.module.css'

const StopForPayerDialog = lazyComponent(
  () => import('./stop-for-payer-dialog.tsx'),
  'StopForPayerDialog',
)

/** For staff: how a student's payer pays. Nothing without autopay. */
export function StudentAutopay({ studentId }: { studentId: string }) {
  const { data } = useQuery(endpointQuery(payerHomeApi.ofStudent, { params: { id: studentId } }))
  const [isStopping, setIsStopping] = useState(false)
  const payer = data?.payer
  if (!payer?.autopay) return null
  return (
    <div className={kit.stackSmall}>
      <div className={kit.spread}>
        <p>{describePayer(payer)}</p>
        <Button variant="default" aria-haspopup="dialog" onClick={() => setIsStopping(true)}>
          Stop autopay
        </Button>
      </div>
      {payer.autopay.left_out.map((charge) => (
        <LeftOutChargeRow key={charge.charge_id} studentId={studentId} charge={charge} />
      ))}
      {isStopping && (
        <StopForPayerDialog
          studentId={studentId}
          payerName={payer.payer_name}
          onClose={() => setIsStopping(false)}
        />
      )}
    </div>
  )
}

/** Without an amount, nothing is owed then, or the user may not see what is owed. */
const describeNext = ({
  next_on,
  next_amount,
  is_over_limit,
}: NonNullable<Payer['autopay']>): string =>
  is_over_limit
    ? 'nothing next time, because more is owed than the payer’s limit'
    : joinNonEmpty(
        ['next', next_amount !== null && formatMoney(next_amount), `on ${formatDate(next_on)}`],
        ' ',
      )

const describePayer = ({ payer_name, autopay, method }: Payer): string =>
  joinNonEmpty(
    [
      `${payer_name} pays by autopay`,
      autopay && describeNext(autopay),
      method ? describeMethod(method) : 'the card can’t be charged anymore',
    ],
    ', ',
  )
