import { toCents, toDollars } from '@tatami/contract/lib/money'
import type { AutopayForm } from '@tatami/contract/online-payment/payer-home'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { requireStudent } from '../../guardians/guardianships.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { notFound, Refusal } from '../../lib/refusal.ts'
import { startCheckout } from '../checkout.ts'
import {
  findOrInsertPayer,
  findPayer,
  findPayerById,
  findPayerPerson,
  type Payer,
  payerPersonOf,
} from '../payers.ts'
import { ProviderFailure } from '../provider.ts'
import { findUsableAccount, type OnlinePaymentContext } from '../stripe-account.ts'
import { type AutopayEnd, endAutopay, findOpenAgreement, makeAgreement } from './agreements.ts'
import { forgetStoppedMethods } from './check-method.ts'
import { findLiveMethod } from './saved-methods.ts'
import { startSetup } from './setups.ts'
import type { AgreementTerms } from './tables.ts'
import { agreedTerms } from './terms.ts'

const REPLACED_CHECKOUT =
  'Paying was started on another page at the same time, so this payment was canceled. ' +
  'Nothing was paid here. Please try again.'
const TURNED_OFF = 'Online payment is turned off right now. Please pay at the school.'
const TRY_AGAIN =
  'The payment service is not responding right now. Please try again in a few minutes.'
const AMOUNT_CHANGED = 'The amount has changed. Please look again.'
const JUST_PAID = 'You have already paid this. Thank you!'
const NOTHING_OWED = 'There is nothing to pay right now.'

type NextStep = { url: string | null }

/** 404 if the caller pays for nobody, 409 if the school takes no online payments. */
async function requirePayer(
  tx: Tx,
  { id }: DojoCaller,
  publicUrl: string,
): Promise<{ payer: Payer; isLive: boolean }> {
  const account = await findUsableAccount(tx, publicUrl)
  if (!account) throw new Refusal(409, TURNED_OFF)
  const person = await findPayerPerson(tx, id)
  if (!person) throw notFound('Payer')
  return { payer: await findOrInsertPayer(tx, person), isLive: account.is_live }
}

const askStripe = async <T>(call: Promise<T>): Promise<T> =>
  call.catch((failure: unknown) => {
    throw failure instanceof ProviderFailure ? new Refusal(409, TRY_AGAIN) : failure
  })

type PayerOrder = { amount: number; isLeftOut?: boolean; terms?: AgreementTerms }

/** The payer pays what they owe, and may save the card for autopay at the same time. */
export async function payAsPayer(
  context: OnlinePaymentContext,
  caller: DojoCaller,
  { amount, ...order }: PayerOrder,
): Promise<NextStep> {
  const { dojoId } = caller
  const { payer } = await context.db.inDojo(dojoId, (tx) =>
    requirePayer(tx, caller, context.publicUrl),
  )
  const shownCents = toCents(amount)
  const result = await askStripe(startCheckout(context, dojoId, payer.id, { shownCents, ...order }))
  if (result.kind === 'redirect') return { url: result.url }
  if (result.kind === 'just_paid') throw new Refusal(409, JUST_PAID)
  if (result.kind === 'changed') throw new Refusal(409, AMOUNT_CHANGED)
  if (result.kind === 'replaced') throw new Refusal(409, REPLACED_CHECKOUT)
  throw new Refusal(409, result.kind === 'off' ? TURNED_OFF : NOTHING_OWED)
}

type SigningDevice = { address: string; userAgent: string }

/** With a saved card, autopay starts or changes at once. Otherwise, the card is saved first. */
export async function agreeToAutopay(
  context: OnlinePaymentContext,
  caller: DojoCaller,
  form: AutopayForm,
  { address, userAgent }: SigningDevice,
): Promise<NextStep> {
  const { dojoId } = caller
  const { db, publicUrl, sendEmail } = context
  const { payer, terms, emails } = await db.inDojo(dojoId, async (tx) => {
    const { payer: agreeingPayer, isLive } = await requirePayer(tx, caller, publicUrl)
    const signer = { accountId: caller.id, address, device: userAgent }
    const newTerms = await agreedTerms(tx, dojoId, agreeingPayer, form, signer)
    const hasMethod = (await findLiveMethod(tx, agreeingPayer.id, isLive)) !== null
    return {
      payer: agreeingPayer,
      terms: newTerms,
      emails: hasMethod
        ? await makeAgreement(tx, dojoId, agreeingPayer, newTerms, publicUrl)
        : null,
    }
  })
  if (emails) {
    emails.forEach(sendEmail)
    return { url: null }
  }
  return form.pays_amount === undefined
    ? saveMethod(context, dojoId, payer.id, terms)
    : payAsPayer(context, caller, { amount: form.pays_amount, terms })
}

async function saveMethod(
  context: OnlinePaymentContext,
  dojoId: string,
  payerId: string,
  terms: AgreementTerms | null,
): Promise<NextStep> {
  const result = await askStripe(startSetup(context, dojoId, payerId, terms))
  if (result.kind === 'redirect') return { url: result.url }
  throw new Refusal(409, result.kind === 'off' ? TURNED_OFF : TRY_AGAIN)
}

const NO_AUTOPAY = 'Turn on autopay first.'

/** Only with autopay, because nothing else charges a saved card. */
export async function changeMethod(
  context: OnlinePaymentContext,
  caller: DojoCaller,
): Promise<NextStep> {
  const { db, publicUrl } = context
  const { payer, agreement } = await db.inDojo(caller.dojoId, async (tx) => {
    const { payer: changingPayer } = await requirePayer(tx, caller, publicUrl)
    return {
      payer: changingPayer,
      agreement: await findOpenAgreement(tx, changingPayer.id),
    }
  })
  if (!agreement) throw new Refusal(409, NO_AUTOPAY)
  return saveMethod(context, caller.dojoId, payer.id, null)
}

type StopReply = { on_its_way: number }

/** Takes effect with the commit. Stripe forgets the card right afterward, or a little later. */
export async function stopAutopay(
  context: OnlinePaymentContext,
  dojoId: string,
  findStoppedPayer: (tx: Tx) => Promise<Payer | null>,
  end: AutopayEnd,
): Promise<StopReply> {
  const { db, sendEmail } = context
  const { payer, emails, pendingCents } = await db.inDojo(dojoId, async (tx) => {
    const stoppedPayer = await findStoppedPayer(tx)
    if (!stoppedPayer) return { payer: null, emails: [], pendingCents: 0 }
    return { payer: stoppedPayer, ...(await endAutopay(tx, dojoId, stoppedPayer, end)) }
  })
  emails.forEach(sendEmail)
  if (payer) await forgetStoppedMethods(context, dojoId, payer.id)
  return { on_its_way: toDollars(pendingCents) }
}

/** Works without a Stripe key, too. */
export const stopOwnAutopay = (
  context: OnlinePaymentContext,
  { id, dojoId }: DojoCaller,
): Promise<StopReply> =>
  // Somebody who no longer pays for anybody may stop what they once agreed to.
  stopAutopay(context, dojoId, (tx) => findPayerById(tx, id), {
    reason: 'payer',
    way: 'home',
    accountId: id,
  })

export const stopStudentsAutopay = (
  context: OnlinePaymentContext,
  caller: DojoCaller,
  studentId: string,
  note: string,
): Promise<StopReply> =>
  stopAutopay(
    context,
    caller.dojoId,
    async (tx) => {
      await requireStudent(tx, studentId)
      const payer = await findPayer(tx, await payerPersonOf(tx, studentId))
      if (payer && (await findOpenAgreement(tx, payer.id)))
        await auditAction(tx, caller, 'autopay stopped', { subject_id: studentId })
      return payer
    },
    { reason: 'staff', way: 'staff', accountId: caller.id, note },
  )
