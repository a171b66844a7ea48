import { useCan } from '../lib/current-user.ts'
import { PATHS } from '../lib/paths.ts'
import { LinkSwitch } from '../ui/link-switch.tsx'

const LINKS = [
  { label: 'Reports', to: PATHS.paymentFigures, right: 'money.see' },
  { label: 'Cash Count', to: PATHS.cashCount, right: 'money.see' },
  { label: 'Receipts', to: PATHS.receipts, right: 'money.take' },
] as const

/** Links to the screens about money that the user may open. */
export function MoneySwitch() {
  const can = useCan()
  const links = LINKS.filter(({ right }) => can(right))
  return links.length > 1 && <LinkSwitch label="Money" links={links} />
}
