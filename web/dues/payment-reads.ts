import { type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { useQuery } from '@tanstack/react-query'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { owingApi } from '@tatami/contract/dues/owing'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { pricesApi } from '@tatami/contract/dues/prices'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { today } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'

/** What changes when the ledger does. */
export const LEDGER_READS = [
  paymentsApi.list,
  paymentsApi.statistics,
  paymentsApi.dues,
  studentsApi.list,
  studentsApi.show,
  ledgerApi.balances,
  ledgerApi.account,
  owingApi.list,
  owingApi.lateFees,
  owingApi.promises,
] as const

export const recordsQuery = (month: Month) => endpointQuery(paymentsApi.list, { query: month })

/** What a student pays less in the current month, and why. Only who has a payer can; nobody else's price is asked for. */
export function useReducedPrice({ id, guardians }: Student): {
  price: ReducedPrice | undefined
  isPending: boolean
} {
  const hasPayer = guardians.some(({ pays }) => pays)
  const { data, isPending } = useQuery({
    ...endpointQuery(pricesApi.reduced, { query: monthOfDate(today()) }),
    enabled: hasPayer,
  })
  return {
    price: data?.find(({ student_id }) => student_id === id),
    isPending: hasPayer && isPending,
  }
}

export type ReducedPrice = { amount: number; reason: string }
