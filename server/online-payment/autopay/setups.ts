import { and, eq } from 'drizzle-orm'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../lib/clock.ts'
import { firstRow } from '../../lib/rows.ts'
import { findOrCreateCustomer } from '../customers.ts'
import { lockPayer } from '../payers.ts'
import type { Provider } from '../provider.ts'
import { findProvider, type OnlinePaymentContext } from '../stripe-account.ts'
import { settleSetup } from './settle-setup.ts'
import { type AgreementTerms, methodSetups } from './tables.ts'

export type SetupRow = typeof methodSetups.$inferSelect

/** Stripe refuses less than 30 minutes, and our call may be slow. */
const SETUP_MINUTES = 31
const MINUTE_MS = 60_000
const FIRST_CHECK_MS = 20_000
const MAX_TRIES = 3

/** In the checkout of a payment (`paymentId`), or in a checkout of its own. */
export async function insertSetup(
  tx: Tx,
  payerId: string,
  {
    isLive,
    terms,
    paymentId,
  }: {
    isLive: boolean
    terms: AgreementTerms | null
    paymentId: string | null
  },
): Promise<SetupRow> {
  return firstRow(
    await tx
      .insert(methodSetups)
      .values({
        id: newId(),
        payer_id: payerId,
        is_live: isLive,
        state: 'open',
        payment_id: paymentId,
        terms,
        expires_at: new Date(now().getTime() + SETUP_MINUTES * MINUTE_MS).toISOString(),
        next_check_at: new Date(now().getTime() + FIRST_CHECK_MS).toISOString(),
      })
      .returning(),
  )
}

export async function findOpenSetup(tx: Tx, payerId: string): Promise<SetupRow | null> {
  const [setup] = await tx
    .select()
    .from(methodSetups)
    .where(and(eq(methodSetups.payer_id, payerId), eq(methodSetups.state, 'open')))
  return setup ?? null
}

/** Whether both agree to the same, or both to nothing. */
export const haveSameTerms = (a: AgreementTerms | null, b: AgreementTerms | null): boolean =>
  a?.words === b?.words

type SetupUrl = { kind: 'redirect'; url: string } | { kind: 'off' } | { kind: 'busy' }

/** The payer saves a card without paying. Two presses get the same page. */
export async function startSetup(
  context: OnlinePaymentContext,
  dojoId: string,
  payerId: string,
  terms: AgreementTerms | null,
): Promise<SetupUrl> {
  const { db } = context
  const provider = await db.inDojo(dojoId, (tx) => findProvider(tx, context))
  if (!provider) return { kind: 'off' }
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { setup, isNew } = await db.inDojo(dojoId, async (tx) => {
      await lockPayer(tx, payerId)
      const existingSetup = await findOpenSetup(tx, payerId)
      if (existingSetup) return { setup: existingSetup, isNew: false }
      const plan = { isLive: provider.isLive, terms, paymentId: null }
      return { setup: await insertSetup(tx, payerId, plan), isNew: true }
    })
    const isSame =
      setup.payment_id === null &&
      setup.is_live === provider.isLive &&
      Date.parse(setup.expires_at) > now().getTime() &&
      haveSameTerms(setup.terms, terms)
    if (isSame && setup.checkout_url !== null) return { kind: 'redirect', url: setup.checkout_url }
    if (isNew) return { kind: 'redirect', url: await openSetup(context, dojoId, setup, provider) }
    await endSetup(context, dojoId, setup)
  }
  return { kind: 'busy' }
}

async function openSetup(
  context: OnlinePaymentContext,
  dojoId: string,
  setup: SetupRow,
  provider: Provider,
): Promise<string> {
  const { db, publicUrl } = context
  const customerId = await findOrCreateCustomer(context, dojoId, provider, {
    payerId: setup.payer_id,
    key: `tatami/${setup.id}/c1`,
  })
  const returnUrl = setupReturnUrl(publicUrl, dojoId, setup.id)
  const { id: checkout_id, url: checkout_url } = await provider.startSetup({
    key: `tatami/${setup.id}/s1`,
    customerId,
    setupId: setup.id,
    returnUrl,
    cancelUrl: `${returnUrl}?back=1`,
    expiresAt: new Date(setup.expires_at),
  })
  await db.inDojo(dojoId, (tx) =>
    tx.update(methodSetups).set({ checkout_id, checkout_url }).where(eq(methodSetups.id, setup.id)),
  )
  return checkout_url
}

export const SETUP_PATH = '/pay/saved'

/** Where Stripe sends the payer afterwards. */
export const setupReturnUrl = (publicUrl: string, dojoId: string, setupId: string): string =>
  `${publicUrl}${SETUP_PATH}/${dojoId}.${setupId}`

/** Ends a checkout that is no longer wanted. If a card was saved in the meantime, keeps it. */
export async function endSetup(
  context: OnlinePaymentContext,
  dojoId: string,
  { id, checkout_id, payment_id }: SetupRow,
): Promise<void> {
  const { db } = context
  const provider = await db.inDojo(dojoId, (tx) => findProvider(tx, context))
  // The checkout of a payment ends with the payment. It then saves no card, unless it was paid.
  if (payment_id === null && provider && checkout_id !== null)
    await provider.expireCheckout(`tatami/${id}/x1`, checkout_id)
  await settleSetup(context, dojoId, id)
  await db.inDojo(dojoId, (tx) =>
    tx
      .update(methodSetups)
      .set({ state: 'expired' })
      .where(and(eq(methodSetups.id, id), eq(methodSetups.state, 'open'))),
  )
}
