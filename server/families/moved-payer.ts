import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { autopayAgreements } from '../online-payment/autopay/tables.ts'
import {
  onlinePayers,
  onlinePayments,
  payLinks,
  stripeCustomers,
} from '../online-payment/tables.ts'

type Person = { guardian_id: string } | { student_id: string }

const isPerson = (person: Person) =>
  'guardian_id' in person
    ? eq(onlinePayers.guardian_id, person.guardian_id)
    : eq(onlinePayers.student_id, person.student_id)

async function findPayerId(tx: Tx, person: Person): Promise<string | null> {
  const [payer] = await tx
    .select({ id: onlinePayers.id })
    .from(onlinePayers)
    .where(isPerson(person))
    .for('no key update')
  return payer?.id ?? null
}

/** Their login has moved, because its user has been the parent all along. Autopay, the card and the
 *  payments follow. */
export async function movePayer(tx: Tx, formerPerson: Person, newPerson: Person): Promise<void> {
  const payerId = await findPayerId(tx, formerPerson)
  if (payerId === null) return
  const otherPayerId = await findPayerId(tx, newPerson)
  if (otherPayerId !== null) {
    if (await hasUsedAutopay(tx, otherPayerId)) return
    await giveRowsTo(tx, otherPayerId, payerId)
  }
  await tx
    .update(onlinePayers)
    .set({ guardian_id: null, student_id: null, ...newPerson })
    .where(eq(onlinePayers.id, payerId))
}

/** Agreements never change, so they cannot be given to another payer. */
const hasUsedAutopay = async (tx: Tx, payerId: string): Promise<boolean> =>
  (await tx.$count(autopayAgreements, eq(autopayAgreements.payer_id, payerId))) > 0

async function giveRowsTo(tx: Tx, payerId: string, keptPayerId: string): Promise<void> {
  const change = { payer_id: keptPayerId }
  await tx.update(onlinePayments).set(change).where(eq(onlinePayments.payer_id, payerId))
  await tx.update(payLinks).set(change).where(eq(payLinks.payer_id, payerId))
  await tx.update(stripeCustomers).set(change).where(eq(stripeCustomers.payer_id, payerId))
  await tx.delete(onlinePayers).where(eq(onlinePayers.id, payerId))
}
