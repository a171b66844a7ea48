import { and, eq, gt, like } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { findReplyPhone } from '../families/reply-phone.ts'
import { readGuardianById } from '../guardians/guardian-records.ts'
import type { DojoCaller } from '../http/serve.ts'
import { now } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { touchConversations } from '../texting/conversations/conversations.ts'
import { incomingTexts } from '../texting/tables.ts'

const MAX_PER_HOUR = 20
const HOUR_MS = 3_600_000
/** Distinguishes these messages from texts, whose ids come from the provider. */
const ID_PREFIX = 'app '

/** The end of each message, so that the school knows who wrote it if people share a phone. */
export const formatSignature = (name: string) => `\n(${name}, in the app)`

/** Selects the messages that were written in the app by somebody with this phone. */
export const whereFromApp = (phone: string) =>
  and(eq(incomingTexts.phone, phone), like(incomingTexts.provider_id, `${ID_PREFIX}%`))

/** Stores a guardian's message like a text from their phone, but never as a command such as
 *  STOP. */
export async function writeToSchool(tx: Tx, { id }: Pick<DojoCaller, 'id'>, text: string) {
  const phone = await findReplyPhone(tx, id)
  if (phone === null) throw new Refusal(409, 'Ask your instructor to add your phone number first.')
  await touchConversations(tx, [phone], 1)
  await requireFewRecentMessages(tx, phone)
  const { name } = await readGuardianById(tx, id)
  await tx.insert(incomingTexts).values({
    provider_id: `${ID_PREFIX}${newId()}`,
    phone,
    text: text + formatSignature(name),
  })
  return { reply_phone: phone }
}

async function requireFewRecentMessages(tx: Tx, phone: string): Promise<void> {
  const hourAgo = new Date(now().getTime() - HOUR_MS).toISOString()
  const recentCount = await tx.$count(
    incomingTexts,
    and(whereFromApp(phone), gt(incomingTexts.received_at, hourAgo)),
  )
  if (recentCount >= MAX_PER_HOUR)
    throw new Refusal(429, 'You have sent a lot of messages. Please try again in an hour.', {
      retryAfterSeconds: HOUR_MS / 1000,
    })
}
