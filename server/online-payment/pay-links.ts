import { PAY_PATH } from '@tatami/contract/online-payment/online-payment'
import { eq } from 'drizzle-orm'
import { toDataURL } from 'qrcode'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { newSecret, sha256 } from '../lib/secrets.ts'
import { findOrCreatePayer, type Payer } from './payers.ts'
import { NOT_SET_UP, readStripeAccount } from './stripe-account.ts'
import { onlinePayers, onlinePayments, payLinks } from './tables.ts'

/** The dojo's id, so that the server knows in which dojo to look, and a random string. */
const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{30,60})$/

export async function createPayLink(
  tx: Tx,
  { dojoId }: DojoCaller,
  studentId: string,
  publicUrl: string,
): Promise<{ link: string; qr: string }> {
  if (!(await readStripeAccount(tx))) throw new Refusal(409, NOT_SET_UP)
  const payer = await findOrCreatePayer(tx, studentId)
  const token = `${dojoId}.${newSecret()}`
  await tx.insert(payLinks).values({ payer_id: payer.id, token_hash: sha256(token) })
  const link = `${publicUrl}${PAY_PATH}/${token}`
  return { link, qr: await toDataURL(link) }
}

/** Where Stripe sends the payer afterwards. It names the payment, because the link is not stored. */
export const returnUrl = (publicUrl: string, dojoId: string, paymentId: string): string =>
  `${publicUrl}${PAY_PATH}/${dojoId}.${paymentId}`

/** The dojo's id in the token of a link or of a return address, or null. */
export const dojoOfPayToken = (token: string): string | null => TOKEN.exec(token)?.[1] ?? null

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type PayPageSubject = {
  payer: Payer
  /** The payment that the payer comes back from, if the address names one. */
  paymentId: string | null
}

/** Whose page an address shows. Null for an unknown token, and after the payer was deleted. */
export async function findPayPageSubject(tx: Tx, token: string): Promise<PayPageSubject | null> {
  const secret = TOKEN.exec(token)?.[2] ?? ''
  const paymentId = UUID.test(secret) ? secret : null
  const [row] =
    paymentId === null
      ? await tx
          .select({ payer: onlinePayers })
          .from(payLinks)
          .innerJoin(onlinePayers, eq(onlinePayers.id, payLinks.payer_id))
          .where(eq(payLinks.token_hash, sha256(token)))
      : await tx
          .select({ payer: onlinePayers })
          .from(onlinePayments)
          .innerJoin(onlinePayers, eq(onlinePayers.id, onlinePayments.payer_id))
          .where(eq(onlinePayments.id, paymentId))
  return row ? { payer: row.payer, paymentId } : null
}
