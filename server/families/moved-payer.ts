import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { autopayAgreements } from '../online-payment/autopay/tables.ts'
import {
  onlinePayers,
  onlinePayments,
  payLinks,
  stripeCustomers,
} from '../online-payment/tables.ts'

type PayerOwner = { guardian_id: string } | { student_id: string }

const whereOwner = (owner: PayerOwner) =>
  'guardian_id' in owner
    ? eq(onlinePayers.guardian_id, owner.guardian_id)
    : eq(onlinePayers.student_id, owner.student_id)

async function findPayerId(tx: Tx, owner: PayerOwner): Promise<string | null> {
  const [payer] = await tx
    .select({ id: onlinePayers.id })
    .from(onlinePayers)
    .where(whereOwner(owner))
    .for('no key update')
  return payer?.id ?? null
}

/** Gives a payer's record, with autopay, card and payments, to another person. A parent who used a
 *  child's login keeps these when the login becomes the parent's. */
export async function movePayer(
  tx: Tx,
  previousOwner: PayerOwner,
  newOwner: PayerOwner,
): Promise<void> {
  const payerId = await findPayerId(tx, previousOwner)
  if (payerId === null) return
  const otherPayerId = await findPayerId(tx, newOwner)
  if (otherPayerId !== null) {
    if (await hasUsedAutopay(tx, otherPayerId)) return
    await moveRows(tx, otherPayerId, payerId)
  }
  await tx
    .update(onlinePayers)
    .set({ guardian_id: null, student_id: null, ...newOwner })
    .where(eq(onlinePayers.id, payerId))
}

/** Autopay agreements never change, so they cannot be given to another payer. */
const hasUsedAutopay = async (tx: Tx, payerId: string): Promise<boolean> =>
  (await tx.$count(autopayAgreements, eq(autopayAgreements.payer_id, payerId))) > 0

async function moveRows(tx: Tx, payerId: string, newPayerId: string): Promise<void> {
  const newPayer = { payer_id: newPayerId }
  await tx.update(onlinePayments).set(newPayer).where(eq(onlinePayments.payer_id, payerId))
  await tx.update(payLinks).set(newPayer).where(eq(payLinks.payer_id, payerId))
  await tx.update(stripeCustomers).set(newPayer).where(eq(stripeCustomers.payer_id, payerId))
  await tx.delete(onlinePayers).where(eq(onlinePayers.id, payerId))
}
