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
import { mustExist } from '@tatami/contract/lib/must-exist'
import { pluck } from '../lib/rows.ts'
import { recordTextConsent, findWithdrawnPhones } from '../texting/consents.ts'
import { optInWithoutOwnNumber } from '../texting/opt-outs.ts'
import { findHoldersOfPhone } from '../texting/phones.ts'
import type { Provider } from '../texting/providers/provider.ts'
import { incomingTexts, messages, providerMessages, simulatedTexts } from '../texting/tables.ts'
import { confirmTexts } from '../trials/confirm-texts.ts'
import { runCommand } from './commands.ts'
import { touchConversations } from '../texting/conversations/conversations.ts'
import { closeStopRequest, pinStopRequest } from '../texting/conversations/stop-requests.ts'
import { detectOptOut } from '../texting/conversations/opt-out-words.ts'
import {
  applyKeyword,
  KEYWORD_REPLIES,
  type KeywordOutcome,
} from '../texting/conversations/keywords.ts'
import { findDojosWithPhone } from '../texting/dojos-with-phone.ts'

const REPLY_WINDOW_MS = 30 * DAY_MS

/** `keyword` is set if the provider recognized one. */
type IncomingMessage = { id: string; from: string; text: string; keyword?: Keyword | null }

/** Returns false if the provider has posted this message before. */
async function recordArrival(tx: Tx, id: string): Promise<boolean> {
  const newMessages = await tx
    .insert(providerMessages)
    .values({ id, status: 'received' })
    .onConflictDoNothing()
    .returning({ id: providerMessages.id })
  return newMessages.length > 0
}

/** Receives a text to the server's number, and returns the immediate reply. A text that the
 *  provider has posted before is ignored. */
export async function receiveText(
  tx: Tx,
  { id, from, text, keyword: providerKeyword = null }: IncomingMessage,
): Promise<string | null> {
  if (!(await recordArrival(tx, id))) return null
  const outcome = await applyKeyword(tx, from, text, { providerKeyword })
  let { reply } = outcome
  for (const dojoId of await findReceivingDojos(tx, from))
    await insideDojo(tx, dojoId, async (dojoTx) => {
      // START renews a consent that an instructor ended, even if the phone never sent STOP.
      if (outcome.event === 'given' && (await findWithdrawnPhones(dojoTx, [from])).has(from))
        reply = KEYWORD_REPLIES.start
      if (outcome.event === 'given') await optInWithoutOwnNumber(dojoTx, from)
      reply = (await confirmTexts(dojoTx, from, text)) ?? reply
      await storeIncomingText(dojoTx, dojoId, { provider_id: id, phone: from, text }, outcome)
      await recordKeyword(dojoTx, from, outcome)
    })
  return reply
}

/** Receives a text to the dojo's own number, which changes nothing for other dojos. */
export async function receiveTextToOwnNumber(
  tx: Tx,
  dojoId: string,
  { id, from, text, keyword: providerKeyword = null }: IncomingMessage,
): Promise<string | null> {
  if (!(await recordArrival(tx, id))) return null
  const wasWithdrawn = (await findWithdrawnPhones(tx, [from])).has(from)
  const outcome = await applyKeyword(tx, from, text, { providerKeyword, isOwnNumber: true })
  await storeIncomingText(tx, dojoId, { provider_id: id, phone: from, text }, outcome)
  await recordKeyword(tx, from, outcome)
  if (wasWithdrawn && outcome.event === 'given') return KEYWORD_REPLIES.start
  return (await confirmTexts(tx, from, text)) ?? outcome.reply
}

async function recordKeyword(tx: Tx, phone: string, { event }: KeywordOutcome): Promise<void> {
  if (event === null) return
  const source = event === 'given' ? 'START' : 'STOP'
  await recordTextConsent(tx, { phone, event, source })
}

/** The sender may also be a short code or a name, which cannot get texts. */
const isPhone = (sender: string) => /^\+[1-9]\d{6,14}$/.test(sender)

type StoredText = { provider_id: string; phone: string; text: string }

async function storeIncomingText(
  tx: Tx,
  dojoId: string,
  { provider_id, phone, text }: StoredText,
  { reply, event }: KeywordOutcome,
) {
  const [holder] = await findHoldersOfPhone(tx, phone)
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

/** A dojo may read a text in any of these cases:
 *  - it texted the phone within the last 30 days,
 *  - it has the number and once exchanged texts with it,
 *  - it had the number before the dojo that last texted the phone.
 *  This keeps a dojo from taking over a conversation by entering a number. If no dojo texted the
 *  phone within 30 days, all dojos with the number may read the text. If no dojo has the number, the
 *  text goes to the server's only dojo, or to nobody if there are several. */
async function findReceivingDojos(tx: Tx, phone: string): Promise<string[]> {
  return asOverseer(tx, async (overseerTx) => {
    const phoneSinceByDojo = await findDojosWithPhone(overseerTx, phone)
    const dojosWithPhone = [...phoneSinceByDojo.keys()]
    const senders = await findSenders(overseerTx, phone)
    const repliableSince = new Date(now().getTime() - REPLY_WINDOW_MS).toISOString()
    const recentSenders = senders.filter(({ lastSentAt }) => lastSentAt > repliableSince)
    const [lastSender] = recentSenders
    if (!lastSender) return dojosWithPhone.length > 0 ? dojosWithPhone : findOnlyDojo(overseerTx)
    const correspondents = new Set([
      ...pluck(senders, 'dojoId'),
      ...(await findDojosWithTextsFrom(overseerTx, phone, dojosWithPhone)),
    ])
    const { dojoId: lastSenderId, firstSentAt } = lastSender
    const phoneSince = phoneSinceByDojo.get(lastSenderId) ?? firstSentAt
    const lastSenderSince = phoneSince < firstSentAt ? phoneSince : firstSentAt
    const entitledDojos = [...phoneSinceByDojo]
      .filter(([dojoId, startedAt]) => correspondents.has(dojoId) || startedAt < lastSenderSince)
      .map(([dojoId]) => dojoId)
    return [...new Set([...pluck(recentSenders, 'dojoId'), ...entitledDojos])]
  })
}

async function findSenders(overseerTx: Tx, phone: string) {
  const firstSentAt = sql<string>`min(${messages.sent_at})`.mapWith(messages.sent_at)
  const lastSentAt = sql<string>`max(${messages.sent_at})`.mapWith(messages.sent_at)
  return (
    overseerTx
      .select({ dojoId: messages.dojo_id, firstSentAt, lastSentAt })
      .from(messages)
      // Only the first row of a shared text was sent.
      .where(
        and(eq(messages.phone, phone), isNull(messages.sent_with), isNotNull(messages.sent_at)),
      )
      .groupBy(messages.dojo_id)
      .orderBy(desc(lastSentAt))
  )
}

async function findDojosWithTextsFrom(overseerTx: Tx, phone: string, dojoIds: readonly string[]) {
  const rows = await overseerTx
    .selectDistinct({ dojoId: incomingTexts.dojo_id })
    .from(incomingTexts)
    .where(and(equalsAny(incomingTexts.dojo_id, [...dojoIds]), eq(incomingTexts.phone, phone)))
  return pluck(rows, 'dojoId')
}

async function findOnlyDojo(overseerTx: Tx): Promise<string[]> {
  const rows = await overseerTx.select({ id: dojos.id }).from(dojos).limit(2)
  return rows.length === 1 ? pluck(rows, 'id') : []
}

type ProviderService = Pick<Provider, 'service'>

async function receiveSimulatedText(
  tx: Tx,
  dojoId: string,
  { service }: ProviderService,
  phone: string,
  text: string,
): Promise<string | null> {
  if (service !== 'simulator')
    throw new Refusal(409, 'Texts are not simulated here, so replies come from real phones.')
  const outcome = await applyKeyword(tx, phone, text, { simulated: true })
  await storeIncomingText(tx, dojoId, { provider_id: `simulated ${newId()}`, phone, text }, outcome)
  return (await confirmTexts(tx, phone, text)) ?? outcome.reply
}

export async function answerSimulated(
  tx: Tx,
  dojoId: string,
  provider: ProviderService,
  messageId: string,
  text: string,
) {
  const [message] = await tx
    .select({ phone: messages.phone })
    .from(simulatedTexts)
    .innerJoin(messages, eq(messages.id, simulatedTexts.message_id))
    .where(eq(simulatedTexts.message_id, messageId))
  if (!message) throw notFound('Message')
  const phone = mustExist(message.phone, 'The phone of a simulated text')
  return receiveSimulatedText(tx, dojoId, provider, phone, text)
}

export async function writeSimulated(
  tx: Tx,
  dojoId: string,
  provider: ProviderService,
  typedPhone: string,
  text: string,
) {
  const phone = validPhone(typedPhone)
  if (phone === null) throw invalid('phone_number', 'Phone number is not valid')
  return {
    phone_number: phone,
    answer: await receiveSimulatedText(tx, dojoId, provider, phone, text),
  }
}
