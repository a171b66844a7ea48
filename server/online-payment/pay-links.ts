import { toCents, toDollars } from '@tatami/contract/lib/money'
import { PAY_PATH } from '@tatami/contract/online-payment/online-payment'
import { eq, sql } from 'drizzle-orm'
import { toDataURL } from 'qrcode'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { requireStudent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { DOJO_TOKEN_LENGTH, parseDojoToken, newDojoToken } from '../lib/dojo-tokens.ts'
import { Refusal } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { readOwedCents } from './owed-lines.ts'
import { findOrCreatePayer, findOrCreatePayers, type Payer } from './payers.ts'
import { findAccount, NOT_SET_UP, readServerIdentity, readStripeAccount } from './stripe-account.ts'
import { onlinePayers, onlinePayments, payLinks } from './tables.ts'

const payUrl = (publicUrl: string, token: string): string => `${publicUrl}${PAY_PATH}/${token}`

/** A link on which a payer sees and pays what is owed. 409 if online payment is off, and in a
 *  restored or copied database. */
export async function createPayLink(
  tx: Tx,
  { dojoId }: DojoCaller,
  studentId: string,
  publicUrl: string,
): Promise<{ link: string; qr: string }> {
  await requireStudent(tx, studentId)
  if (!(await findAccount(tx, publicUrl))) throw new Refusal(409, NOT_SET_UP)
  const payer = await findOrCreatePayer(tx, studentId)
  const [link = ''] = await insertLinks(tx, dojoId, [{ payer_id: payer.id }], publicUrl)
  return { link, qr: await toDataURL(link) }
}

/** For a text or an email to the payer. */
export async function insertPayLink(
  tx: Tx,
  dojoId: string,
  payerId: string,
  publicUrl: string,
): Promise<string> {
  const [link = ''] = await insertSentLinks(tx, dojoId, [payerId], publicUrl)
  return link
}

/** One new link for each payer, in the same order. */
async function insertSentLinks(
  tx: Tx,
  dojoId: string,
  payerIds: string[],
  publicUrl: string,
): Promise<string[]> {
  const owedCents = await readOwedCents(tx, dojoId, payerIds)
  return insertLinks(
    tx,
    dojoId,
    payerIds.map((payer_id) => ({
      payer_id,
      is_sent: true,
      sent_amount: toDollars(owedCents.get(payer_id) ?? 0),
    })),
    publicUrl,
  )
}

type NewLink = Pick<typeof payLinks.$inferInsert, 'payer_id' | 'is_sent' | 'sent_amount'>

async function insertLinks(
  tx: Tx,
  dojoId: string,
  newLinks: readonly NewLink[],
  publicUrl: string,
): Promise<string[]> {
  const links = newLinks.map((link) => ({ link, token: newDojoToken(dojoId) }))
  await inChunks(
    links.map(({ link, token }) => ({ ...link, token_hash: sha256(token) })),
    (chunk) => tx.insert(payLinks).values(chunk),
  )
  return links.map(({ token }) => payUrl(publicUrl, token))
}

/** A new link for each student, the same for students with the same payer. Empty while texts have
 *  no links. */
export async function createLinksOfStudents(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
): Promise<Map<string, string>> {
  const publicUrl = await readLinkAddress(tx)
  if (publicUrl === null || studentIds.length === 0) return new Map()
  const payerOfStudent = await findOrCreatePayers(tx, studentIds)
  const payerIds = [...new Set([...payerOfStudent.values()].map(({ id }) => id))]
  const links = await insertSentLinks(tx, dojoId, payerIds, publicUrl)
  const linkOfPayer = new Map(payerIds.map((id, index) => [id, links[index] ?? '']))
  return new Map(
    [...payerOfStudent].map(([studentId, { id }]) => [studentId, linkOfPayer.get(id) ?? '']),
  )
}

const SAMPLE_TOKEN = 'this-part-is-different-for-each-family'

/** What a text shows before it is sent, as long as a real link. Null if texts have no links. */
export async function readSampleLink(tx: Tx): Promise<string | null> {
  const publicUrl = await readLinkAddress(tx)
  return publicUrl === null ? null : payUrl(publicUrl, SAMPLE_TOKEN.padEnd(DOJO_TOKEN_LENGTH, '-'))
}

/** Null while the school takes no payments online, while it tries that out with a test key, and in
 *  a restored or copied database. */
async function readLinkAddress(tx: Tx): Promise<string | null> {
  const account = await readStripeAccount(tx)
  if (!account?.public_url || !account.is_live) return null
  const { public_url, server_identity } = account
  return server_identity === (await readServerIdentity(tx, public_url)) ? public_url : null
}

/** Where Stripe sends the payer afterwards. It names the payment, because the link is not stored. */
export const returnUrl = (publicUrl: string, dojoId: string, paymentId: string): string =>
  `${publicUrl}${PAY_PATH}/${dojoId}.${paymentId}`

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const RETURN_TOKEN = new RegExp(`^(${UUID})\\.(${UUID})$`)

/** The dojo's id in the token of a link or of a return address, or null. */
export const dojoOfPayToken = (token: string): string | null =>
  parseDojoToken(token) ?? RETURN_TOKEN.exec(token)?.[1] ?? null

export type PayPageSubject = {
  payer: Payer
  /** The payment that the payer comes back from, if the address names one. */
  paymentId: string | null
  /** What the payer owed when the link was sent, in cents. Null if it was not sent. */
  sentCents: number | null
}

/** Whose page an address shows. Null for an unknown token, and after the payer was deleted. */
export async function findPayPageSubject(tx: Tx, token: string): Promise<PayPageSubject | null> {
  const paymentId = RETURN_TOKEN.exec(token)?.[2] ?? null
  const [row] =
    paymentId === null
      ? await tx
          .select({ payer: onlinePayers, sent_amount: payLinks.sent_amount })
          .from(payLinks)
          .innerJoin(onlinePayers, eq(onlinePayers.id, payLinks.payer_id))
          .where(eq(payLinks.token_hash, sha256(token)))
      : await tx
          .select({ payer: onlinePayers, sent_amount: sql<null>`null` })
          .from(onlinePayments)
          .innerJoin(onlinePayers, eq(onlinePayers.id, onlinePayments.payer_id))
          .where(eq(onlinePayments.id, paymentId))
  if (!row) return null
  const { payer, sent_amount } = row
  return { payer, paymentId, sentCents: sent_amount === null ? null : toCents(sent_amount) }
}
