import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import type { Keyword } from '@tatami/contract/texting/text-history'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { asOverseer, insideDojo, type Tx } from '../db/database.ts'
import { newId } from '../db/columns.ts'
import { dojos } from '../dojos/tables.ts'
import { now } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { recordTextConsent, withdrawnAmong } from '../texting/consents.ts'
import { holdersOfPhone } from '../texting/phones.ts'
import type { Provider } from '../texting/providers/provider.ts'
import { incomingTexts, messages, providerMessages, simulatedTexts } from '../texting/tables.ts'
import { runCommand } from './commands.ts'
import { touchConversations } from '../texting/conversations/conversations.ts'
import { closeStopRequest, pinStopRequest } from '../texting/conversations/stop-requests.ts'
import { detectOptOut } from '../texting/conversations/opt-out-words.ts'
import {
  applyKeyword,
  KEYWORD_REPLIES,
  type KeywordOutcome,
} from '../texting/conversations/keywords.ts'
import { dojosWith } from '../texting/dojos-with-phone.ts'

const REPLY_WITHIN_MS = 30 * DAY_MS

/** `keyword` is the provider's. */
type IncomingMessage = { id: string; from: string; text: string; keyword?: Keyword | null }

/** Stores an incoming text once, however often it is posted. Returns the immediate reply. */
export async function receiveText(
  tx: Tx,
  { id, from, text, keyword: byProvider = null }: IncomingMessage,
): Promise<string | null> {
  const [isNew] = await tx
    .insert(providerMessages)
    .values({ id, status: 'received' })
    .onConflictDoNothing()
    .returning({ id: providerMessages.id })
  if (!isNew) return null
  const keyword = await applyKeyword(tx, from, text, { byProvider })
  let { reply } = keyword
  for (const dojoId of await receiversOf(tx, from))
    await insideDojo(tx, dojoId, async (dojoTx) => {
      if (keyword.event === 'given' && (await withdrawnAmong(dojoTx, [from])).has(from))
        reply = KEYWORD_REPLIES.start
      await storeText(dojoTx, dojoId, { provider_id: id, phone: from, text }, keyword)
      const source = keyword.event === 'given' ? 'START' : 'STOP'
      if (keyword.event)
        await recordTextConsent(dojoTx, { phone: from, event: keyword.event, source })
    })
  return reply
}

/** Senders may also be short codes or names, which cannot be written to. */
const isPhone = (sender: string) => /^\+[1-9]\d{6,14}$/.test(sender)

type StoredText = { provider_id: string; phone: string; text: string }

async function storeText(
  tx: Tx,
  dojoId: string,
  { provider_id, phone, text }: StoredText,
  { reply, event }: KeywordOutcome,
) {
  const [holder] = await holdersOfPhone(tx, phone)
  if (isPhone(phone)) {
    await touchConversations(tx, [phone], 1)
    if (event !== null) await closeStopRequest(tx, phone, event)
  }
  const asksToStop = isPhone(phone) && event === null && detectOptOut(text) === 'unclear'
  const isPinned = asksToStop && (await pinStopRequest(tx, phone))
  const [incomingText] = await tx
    .insert(incomingTexts)
    .values({
      provider_id,
      student_id: holder?.student_id ?? null,
      phone,
      text,
      stop_request: isPinned ? 'open' : null,
    })
    .onConflictDoNothing()
    .returning({ id: incomingTexts.id })
  if (incomingText && reply === null && event === null)
    await runCommand(tx, dojoId, { id: incomingText.id, phone, text })
}

/**
 * The dojos that read a text from this phone: dojos that texted it within 30 days, those that hold
 * the number and wrote with it before, and those that held it before the last sender did. So
 * editing a number neither takes a conversation from a dojo nor opens it to another. If nobody
 * texted it lately, every dojo that holds it, or else the only dojo.
 */
async function receiversOf(tx: Tx, phone: string): Promise<string[]> {
  return asOverseer(tx, async (overseerTx) => {
    const heldSince = await dojosWith(overseerTx, phone)
    const senders = await sendersTo(overseerTx, phone)
    const earliest = new Date(now().getTime() - REPLY_WITHIN_MS).toISOString()
    const recentSenders = senders.filter(({ lastSentAt }) => lastSentAt > earliest)
    const [lastSender] = recentSenders
    if (!lastSender && heldSince.size === 0) return theOnlyDojo(overseerTx)
    if (!lastSender) return [...heldSince.keys()]
    const holders = [...heldSince.keys()]
    const correspondents = new Set([
      ...senders.map(({ dojoId }) => dojoId),
      ...(await dojosThatReceived(overseerTx, phone, holders)),
    ])
    const { firstSentAt } = lastSender
    const lastSenderHeldSince = heldSince.get(lastSender.dojoId) ?? firstSentAt
    const lastSenderSince = lastSenderHeldSince < firstSentAt ? lastSenderHeldSince : firstSentAt
    const readingHolders = holders.filter(
      (dojoId) =>
        correspondents.has(dojoId) || (heldSince.get(dojoId) ?? lastSenderSince) < lastSenderSince,
    )
    return [...new Set([...recentSenders.map(({ dojoId }) => dojoId), ...readingHolders])]
  })
}

async function sendersTo(overseerTx: Tx, phone: string) {
  const firstSentAt = sql<string>`min(${messages.sent_at})`.mapWith(messages.sent_at)
  const lastSentAt = sql<string>`max(${messages.sent_at})`.mapWith(messages.sent_at)
  return (
    overseerTx
      .select({ dojoId: messages.dojo_id, firstSentAt, lastSentAt })
      .from(messages)
      // Rows that share a text were sent with it.
      .where(
        and(eq(messages.phone, phone), isNull(messages.sent_with), isNotNull(messages.sent_at)),
      )
      .groupBy(messages.dojo_id)
      .orderBy(desc(lastSentAt))
  )
}

async function dojosThatReceived(overseerTx: Tx, phone: string, dojoIds: readonly string[]) {
  const rows = await overseerTx
    .selectDistinct({ dojoId: incomingTexts.dojo_id })
    .from(incomingTexts)
    .where(and(equalsAny(incomingTexts.dojo_id, [...dojoIds]), eq(incomingTexts.phone, phone)))
  return rows.map(({ dojoId }) => dojoId)
}

async function theOnlyDojo(overseerTx: Tx): Promise<string[]> {
  const ids = (await overseerTx.select({ id: dojos.id }).from(dojos).limit(2)).map(({ id }) => id)
  return ids.length === 1 ? ids : []
}

type Service = Pick<Provider, 'service'>

async function receiveSimulated(
  tx: Tx,
  dojoId: string,
  { service }: Service,
  phone: string,
  text: string,
): Promise<string | null> {
  if (service !== 'simulator')
    throw new Refusal(409, 'Texts are not simulated here, so replies come from real phones.')
  const keyword = await applyKeyword(tx, phone, text, { simulated: true })
  await storeText(tx, dojoId, { provider_id: `simulated ${newId()}`, phone, text }, keyword)
  return keyword.reply
}

export async function answerSimulated(
  tx: Tx,
  dojoId: string,
  provider: Service,
  messageId: string,
  text: string,
) {
  const [message] = await tx
    .select({ phone: messages.phone })
    .from(simulatedTexts)
    .innerJoin(messages, eq(messages.id, simulatedTexts.message_id))
    .where(eq(simulatedTexts.message_id, messageId))
  if (!message) throw notFound('Message')
  return receiveSimulated(tx, dojoId, provider, message.phone!, text)
}

export async function writeSimulated(
  tx: Tx,
  dojoId: string,
  provider: Service,
  typedPhone: string,
  text: string,
) {
  const phone = validPhone(typedPhone)
  if (phone === null) throw invalid('phone_number', 'Phone number is not valid')
  return { phone_number: phone, answer: await receiveSimulated(tx, dojoId, provider, phone, text) }
}
