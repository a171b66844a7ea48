import { formatMoney } from '@tatami/contract/lib/money'
import { Warning } from '../ui/notices.tsx'

export const MoneyOnItsWay = ({ amount }: { amount: number }) =>
  amount > 0 && <Warning>{formatMoney(amount)} is on its way from the bank.</Warning>
