import { onlinePaymentApi } from '@tatami/contract/online-payment/online-payment'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../lib/current-user.ts'
import { PATHS } from '../lib/paths.ts'
import { endpointQuery } from '../lib/query.ts'
import { LinkSwitch } from '../ui/link-switch.tsx'

const LINKS = [
  { label: 'Reports', to: PATHS.paymentFigures, right: 'money.see' },
  { label: 'Online', to: PATHS.onlinePayments, right: 'money.see' },
  { label: 'Cash Count', to: PATHS.cashCount, right: 'money.see' },
  { label: 'Receipts', to: PATHS.receipts, right: 'money.take' },
] as const

/** Links to the screens about money that the user may open. */
export function MoneySwitch() {
  const can = useCan()
  const { data: onlinePayment } = useQuery(endpointQuery(onlinePaymentApi.status))
  const hasOnline = onlinePayment && (onlinePayment.is_on || onlinePayment.has_payments)
  const links = LINKS.filter(
    ({ to, right }) => can(right) && (to !== PATHS.onlinePayments || hasOnline),
  )
  return links.length > 1 && <LinkSwitch label="Money" links={links} />
}
