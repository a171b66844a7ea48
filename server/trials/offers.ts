import type { TrialOffer, TrialOfferForm } from '@tatami/contract/trials/trials'
import { MAX_OFFERS } from '@tatami/contract/trials/trials'
import { and, arrayOverlaps, asc, eq, ne } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { findUnknownClasses } from '../classes/classes.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { firstRow } from '../lib/rows.ts'
import { trialOffers } from './tables.ts'

export type OfferRow = typeof trialOffers.$inferSelect

const CLASS_IN_OTHER_OFFER = 'Another offer already has one of these classes'

export const listOffers = (tx: Tx): Promise<OfferRow[]> =>
  tx.select().from(trialOffers).orderBy(asc(trialOffers.created_at), asc(trialOffers.id))

export const listOpenOffers = (tx: Tx): Promise<OfferRow[]> =>
  tx
    .select()
    .from(trialOffers)
    .where(eq(trialOffers.is_on, true))
    .orderBy(asc(trialOffers.created_at), asc(trialOffers.id))

export async function addOffer(
  tx: Tx,
  caller: DojoCaller,
  form: TrialOfferForm,
): Promise<TrialOffer> {
  await requireValidClasses(tx, form, null)
  if ((await tx.$count(trialOffers)) >= MAX_OFFERS)
    throw new Refusal(409, `A school can have ${MAX_OFFERS} offers`)
  const rows = await tx.insert(trialOffers).values(toRow(form)).returning()
  await recordChange(tx, caller, form)
  return firstRow(rows)
}

/** Fields that the form leaves out are empty, or as they are for a new offer. */
const toRow = (form: TrialOfferForm) => ({
  ...form,
  confirmation: form.confirmation ?? null,
  within_days: form.within_days ?? null,
  asks_birthday: form.asks_birthday ?? false,
  asks_signature: form.asks_signature ?? true,
  price: form.price ?? null,
})

export async function changeOffer(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  form: TrialOfferForm,
): Promise<TrialOffer> {
  await requireValidClasses(tx, form, id)
  const [row] = await tx
    .update(trialOffers)
    .set(toRow(form))
    .where(eq(trialOffers.id, id))
    .returning()
  if (!row) throw notFound('Offer')
  await recordChange(tx, caller, form)
  return row
}

const recordChange = (tx: Tx, caller: DojoCaller, { is_on }: TrialOfferForm) =>
  auditAction(tx, caller, 'trial offer changed', { details: { is_on } })

/** Throws 422 for an unknown class. Throws 409 if another offer that is on has one of them. */
async function requireValidClasses(
  tx: Tx,
  { class_ids, is_on }: TrialOfferForm,
  offerId: string | null,
): Promise<void> {
  if ((await findUnknownClasses(tx, class_ids)).length > 0)
    throw invalid('class_ids', 'A class was deleted. Please choose again.')
  if (!is_on) return
  const [otherOffer] = await tx
    .select({ id: trialOffers.id })
    .from(trialOffers)
    .where(
      and(
        eq(trialOffers.is_on, true),
        arrayOverlaps(trialOffers.class_ids, class_ids),
        offerId === null ? undefined : ne(trialOffers.id, offerId),
      ),
    )
    .limit(1)
  if (otherOffer) throw new Refusal(409, CLASS_IN_OTHER_OFFER)
}
