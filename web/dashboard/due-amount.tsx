import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import kit from '../ui/kit.module.css'

/** What is still to be paid, beside what a bank is bringing. */
export function DueAmount({ owed, onItsWay }: { owed: number; onItsWay: number }) {
  const dueAmount = sumDollars([owed, -onItsWay])
  if (owed === 0) return <b className={kit.green}>All paid</b>
  return (
    <>
      {dueAmount > 0 && <b className={kit.orange}>{formatMoney(dueAmount)} due</b>}
      {onItsWay > 0 && <span>{formatMoney(onItsWay)} on its way from the bank</span>}
    </>
  )
}
