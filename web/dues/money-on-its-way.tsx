import { formatMoney } from '@tatami/contract/lib/money'
import kit from '../ui/kit.module.css'

export const MoneyOnItsWay = ({ amount }: { amount: number }) =>
  amount > 0 && <p className={kit.strong}>{formatMoney(amount)} is on its way from the bank.</p>
