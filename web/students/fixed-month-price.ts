import { formatMoney, formatPartOfTotal, sumDollars } from '@tatami/contract/lib/money'
import { type AccountCharge, findMonthCharge, ledgerApi } from '@tatami/contract/ledger/ledger'
import { type Student, type StudentPage, studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { endpointQuery } from '../lib/query.ts'

type FixedMonthPrice = { isPending: boolean; explanation: string | undefined }

/** Explains why a new fee cannot start this month: it was already charged or partly paid. */
export function useFixedMonthPrice({ id }: Student): FixedMonthPrice {
  const page = useQuery(endpointQuery(studentsApi.show, { params: { id } }))
  const account = useQuery(endpointQuery(ledgerApi.account, { params: { id } }))
  // The last payment is the current month's.
  const payment = page.data?.payments.at(-1)
  const charge = account.data && findMonthCharge(account.data, thisMonth())
  return {
    isPending: page.isPending || account.isPending,
    explanation: explainPayment(payment) ?? explainCharge(charge),
  }
}

function explainPayment(payment: StudentPage['payments'][number] | undefined): string | undefined {
  if (payment?.payment_status !== 'paid') return undefined
  const month = formatMonth(thisMonth())
  return payment.monthly_payment_amount === 0
    ? `${month} was settled at ${formatMoney(0)} and stays free.`
    : `${month} is already paid and keeps its price.`
}

function explainCharge(charge: AccountCharge | undefined): string | undefined {
  // The current month has no id until it is charged or partly paid.
  if (!charge || charge.id === null) return undefined
  const month = formatMonth(thisMonth())
  const paidAmount = sumDollars([charge.amount, -charge.owed])
  return paidAmount > 0
    ? `${formatPartOfTotal(paidAmount, charge.amount)} of ${month} is paid, so it keeps its price.`
    : `${month} is already charged at ${formatMoney(charge.amount)} and keeps its price.`
}
