import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import type { Email } from '../../lib/mail.ts'
import { lockPayer } from '../payers.ts'
import { type Provider, ProviderFailure } from '../provider.ts'
import { UNSETTLED_STATES } from '../states.ts'
import { findProvider, type OnlinePaymentContext } from '../stripe-account.ts'
import { onlinePayments } from '../tables.ts'
import type { MethodDetails } from './method-provider.ts'
import { tellPayer } from './payer-messages.ts'
import { detailColumns, methodName, type SavedMethodRow, stopMethod } from './saved-methods.ts'
import { savedMethods } from './tables.ts'

/** Removes a stopped method at Stripe, or reads what has changed there about one in use. */
export async function checkMethod(
  context: OnlinePaymentContext,
  dojoId: string,
  methodId: string,
): Promise<void> {
  const { db, sendEmail } = context
  const { method, isBeingDebited, provider } = await db.inDojo(dojoId, async (tx) => ({
    method: await findMethod(tx, methodId),
    isBeingDebited: await hasUnsettledDebit(tx, methodId),
    provider: await findProvider(tx, context),
  }))
  if (!method || !provider || method.is_live !== provider.isLive) return
  if (method.payer_id === null || method.stopped_at !== null) {
    // Without the method, nobody would learn whether Stripe has taken the money.
    if (method.payer_id === null && isBeingDebited) return
    await forget(provider, method)
    await db.inDojo(dojoId, (tx) => recordForgotten(tx, method))
    return
  }
  const details = await provider.readMethod(method.method_id)
  const emails = await db.inDojo(dojoId, (tx) => recordDetails(tx, dojoId, method, details))
  emails.forEach(sendEmail)
}

async function findMethod(tx: Tx, id: string): Promise<SavedMethodRow | undefined> {
  const [method] = await tx.select().from(savedMethods).where(eq(savedMethods.id, id))
  return method
}

const hasUnsettledDebit = async (tx: Tx, methodId: string): Promise<boolean> =>
  (await tx.$count(
    onlinePayments,
    and(
      eq(onlinePayments.saved_method_id, methodId),
      inArray(onlinePayments.state, [...UNSETTLED_STATES]),
    ),
  )) > 0

/** Without the payer, Stripe forgets who they were, too. */
const forget = (provider: Provider, { id, payer_id, customer_id, method_id }: SavedMethodRow) =>
  payer_id === null
    ? provider.forgetCustomer(`tatami/${id}/forget`, customer_id)
    : provider.forgetMethod(`tatami/${id}/detach`, method_id)

const recordForgotten = (tx: Tx, { id, payer_id }: SavedMethodRow) =>
  payer_id === null
    ? tx.delete(savedMethods).where(eq(savedMethods.id, id))
    : tx.update(savedMethods).set({ next_check_at: null }).where(eq(savedMethods.id, id))

async function recordDetails(
  tx: Tx,
  dojoId: string,
  method: SavedMethodRow,
  details: MethodDetails | null,
): Promise<Email[]> {
  if (details?.customerId != null) {
    const isRenewed = details.expMonth !== method.exp_month || details.expYear !== method.exp_year
    await tx
      .update(savedMethods)
      .set({
        ...detailColumns(details),
        next_check_at: null,
        ...(isRenewed && { expiry_told_at: null }),
      })
      .where(eq(savedMethods.id, method.id))
    return []
  }
  const stoppedRows = await stopMethod(tx, method.id, 'removed_at_stripe')
  if (stoppedRows.length === 0) return []
  await tx.update(savedMethods).set({ next_check_at: null }).where(eq(savedMethods.id, method.id))
  const payer = method.payer_id === null ? null : await lockPayer(tx, method.payer_id)
  if (!payer) return []
  const { emails } = await tellPayer(tx, dojoId, payer, {
    title: 'Please add a new card',
    message: `${methodName(method)} can no longer be charged. Add another one to keep autopay.`,
  })
  return emails
}

/** Right after a stop. If Stripe does not respond, the worker tries again. */
export async function forgetStoppedMethods(
  context: OnlinePaymentContext,
  dojoId: string,
  payerId: string,
): Promise<void> {
  const methods = await context.db.inDojo(dojoId, (tx) =>
    tx
      .select({ id: savedMethods.id })
      .from(savedMethods)
      .where(
        and(
          eq(savedMethods.payer_id, payerId),
          isNotNull(savedMethods.stopped_at),
          isNotNull(savedMethods.next_check_at),
        ),
      ),
  )
  for (const { id } of methods)
    await checkMethod(context, dojoId, id).catch((failure: unknown) => {
      if (!(failure instanceof ProviderFailure)) throw failure
    })
}
