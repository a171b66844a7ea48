import { type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { owingApi } from '@tatami/contract/dues/owing'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { onlineStudentsApi } from '@tatami/contract/online-payment/online-students'
import { pricesApi } from '@tatami/contract/dues/prices'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { today } from '../lib/dates.ts'
import { endpointQuery, endpointKey } from '../lib/query.ts'

/** Endpoints whose replies change when anything is charged, paid or undone. */
export const LEDGER_ENDPOINTS = [
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
  onlineStudentsApi.list,
  onlineStudentsApi.onTheirWay,
  onlineStudentsApi.paidMonth,
] as const

export function refreshLedger(
  cache: QueryClient,
  endpoints: readonly Endpoint[] = LEDGER_ENDPOINTS,
) {
  for (const endpoint of endpoints)
    void cache.invalidateQueries({ queryKey: [endpointKey(endpoint)] })
}

export const recordsQuery = (month: Month) => endpointQuery(paymentsApi.list, { query: month })

export type ReducedPrice = { amount: number; reason: string }

/** The reduced price of the current month. Only a student with a payer can have one. */
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
