import { and, asc, eq, lte } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { CLAIM_MS, type Job, MAX_TASKS } from './jobs.ts'
import { findProvider, type OnlinePaymentContext } from './stripe-account.ts'
import { stripeCustomers } from './tables.ts'
import { savedMethods } from './autopay/tables.ts'

const { dojo_id, customer_id, next_check_at } = stripeCustomers

/** Deletes payers at Stripe who were deleted here. */
export const DELETE_CUSTOMERS: Job = {
  findTasks: (tx) =>
    tx
      .select({ dojo_id, id: customer_id, due_at: next_check_at })
      .from(stripeCustomers)
      .where(lte(next_check_at, nowIso()))
      .orderBy(asc(next_check_at))
      .limit(MAX_TASKS),
  claimMs: CLAIM_MS,
  claim: (tx, { id, due_at }, claimedUntil) =>
    tx
      .update(stripeCustomers)
      .set({ next_check_at: claimedUntil })
      .where(and(eq(customer_id, id), eq(next_check_at, due_at ?? '')))
      .returning({ customer_id }),
  perform: (context, task) => deleteCustomer(context, task.dojo_id, task.id),
}

async function deleteCustomer(
  context: OnlinePaymentContext,
  dojoId: string,
  customerId: string,
): Promise<void> {
  const { db } = context
  const { customer, hasMethods, provider } = await db.inDojo(dojoId, async (tx) => ({
    customer: await findCustomer(tx, customerId),
    hasMethods: await hasSavedMethods(tx, customerId),
    provider: await findProvider(tx, context),
  }))
  // The saved methods go first, because a debit may still be on its way.
  if (!customer || hasMethods || customer.is_live !== provider?.isLive) return
  await provider.forgetCustomer(`tatami/${customerId}/delete`, customerId)
  await db.inDojo(dojoId, (tx) => tx.delete(stripeCustomers).where(eq(customer_id, customerId)))
}

async function findCustomer(tx: Tx, customerId: string) {
  const [customer] = await tx.select().from(stripeCustomers).where(eq(customer_id, customerId))
  return customer
}

const hasSavedMethods = async (tx: Tx, customerId: string): Promise<boolean> =>
  (await tx.$count(savedMethods, eq(savedMethods.customer_id, customerId))) > 0
