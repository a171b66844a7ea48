import type { MethodStopReason } from '@tatami/contract/online-payment/saved-methods'
import { and, eq, isNull } from 'drizzle-orm'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { nowIso } from '../../lib/clock.ts'
import { firstRow } from '../../lib/rows.ts'
import type { Payer } from '../payers.ts'
import type { MethodDetails } from './method-provider.ts'
import { savedMethods } from './tables.ts'

export type SavedMethodRow = typeof savedMethods.$inferSelect

const isLive = isNull(savedMethods.stopped_at)

/** What may be charged. Methods of test and live mode differ. */
export async function findLiveMethod(
  tx: Tx,
  payerId: string,
  isLiveMode: boolean,
): Promise<SavedMethodRow | null> {
  const [method] = await tx
    .select()
    .from(savedMethods)
    .where(and(eq(savedMethods.payer_id, payerId), eq(savedMethods.is_live, isLiveMode), isLive))
  return method ?? null
}

/** The worker then removes it at Stripe. */
const stopColumns = (reason: MethodStopReason) => ({
  stopped_at: nowIso(),
  stop_reason: reason,
  next_check_at: nowIso(),
})

/** Returns no row if it was stopped before. */
export const stopMethod = (tx: Tx, id: string, reason: MethodStopReason) =>
  tx
    .update(savedMethods)
    .set(stopColumns(reason))
    .where(and(eq(savedMethods.id, id), isLive))
    .returning({ id: savedMethods.id })

/** `methodId` is Stripe's. */
export const stopMethodAtStripe = (tx: Tx, methodId: string, reason: MethodStopReason) =>
  tx
    .update(savedMethods)
    .set(stopColumns(reason))
    .where(and(eq(savedMethods.method_id, methodId), isLive))

export const stopLiveMethod = (tx: Tx, payerId: string, reason: MethodStopReason) =>
  tx
    .update(savedMethods)
    .set(stopColumns(reason))
    .where(and(eq(savedMethods.payer_id, payerId), isLive))

/** The columns that Stripe may change, such as when the bank has sent a new card. */
export const detailColumns = (details: MethodDetails) => ({
  kind: details.kind,
  brand: details.brand,
  last4: details.last4,
  exp_month: details.expMonth,
  exp_year: details.expYear,
  fingerprint: details.fingerprint,
})

/** Replaces the method that is saved. Returns false if it is saved already. */
export async function insertMethod(
  tx: Tx,
  { id: payer_id }: Payer,
  details: MethodDetails,
): Promise<boolean> {
  const [storedMethod] = await tx
    .select()
    .from(savedMethods)
    .where(eq(savedMethods.method_id, details.methodId))
  if (storedMethod) return false
  await stopLiveMethod(tx, payer_id, 'replaced')
  firstRow(
    await tx
      .insert(savedMethods)
      .values({
        ...detailColumns(details),
        id: newId(),
        payer_id,
        customer_id: details.customerId ?? '',
        method_id: details.methodId,
        is_live: details.isLive,
      })
      .returning({ id: savedMethods.id }),
  )
  return true
}

const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
}

/** "Visa ending in 4242" */
export const methodName = ({ kind, brand, last4 }: SavedMethodRow): string => {
  const fallback = kind === 'bank' ? 'bank account' : 'card'
  return `${brand === null ? fallback : (BRANDS[brand] ?? brand)} ending in ${last4}`
}
