import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/fields'
import type { IncomingText, Keyword } from '@tatami/contract/text-history'
import { and, count, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import { asOverseer, insideDojo, type Tx } from '../db/database.ts'
import { DAY_MS, now, nowIso } from '../lib/clock.ts'
import { students } from '../students/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { optIn, optOut, type OptOutOptions } from './recipients.ts'
import { incomingTexts, messages, providerMessages } from './tables.ts'

/** What people wrote back, newest first. */
export async function listInbox(tx: Tx, { limit = DEFAULT_PAGE_SIZE, before }: Page): Promise<IncomingText[]> {
  const rows = await tx
    .select({
      id: incomingTexts.id,
      student_id: incomingTexts.student_id,
      name: students.name,
      phone_number: incomingTexts.phone,
      text: incomingTexts.text,
      received_at: incomingTexts.received_at,
      read_at: incomingTexts.read_at,
    })
    .from(incomingTexts)
    .leftJoin(students, eq(students.id, incomingTexts.student_id))
    .where(before ? lt(incomingTexts.id, before) : undefined)
    .orderBy(desc(incomingTexts.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, wish: parseKeyword(row.text) }))
}

export async function countUnread(tx: Tx): Promise<{ unread_count: number }> {
  const [unread] = await tx.select({ unread_count: count() }).from(incomingTexts).where(isNull(incomingTexts.read_at))
  return unread!
}

/** A text that is read already keeps its time; ids of deleted texts are ignored. */
export const markInboxRead = (tx: Tx, ids: string[]) =>
  tx
    .update(incomingTexts)
    .set({ read_at: nowIso() })
    .where(and(inArray(incomingTexts.id, ids), isNull(incomingTexts.read_at)))

const REPLY_WITHIN_MS = 30 * DAY_MS
const LAST_DIGITS = 7

type IncomingMessage = { id: string; from: string; text: string }
type Receiver = { dojoId: string; studentId: string | null }

/** Stores an incoming text once, however often the provider posts it; answers what to reply, null for nothing. */
export async function receiveText(tx: Tx, { id, from, text }: IncomingMessage): Promise<string | null> {
  const [isNew] = await tx
    .insert(providerMessages)
    .values({ id, status: 'received' })
    .onConflictDoNothing()
    .returning({ id: providerMessages.id })
  if (!isNew) return null
  for (const { dojoId, studentId } of await receiversOf(tx, from)) {
    await insideDojo(tx, dojoId, (inside) =>
      inside.insert(incomingTexts).values({ provider_id: id, student_id: studentId, phone: from, text }).onConflictDoNothing(),
    )
  }
  return applyKeyword(tx, from, text)
}

/** The dojo that last texted the phone, or, when none did lately, every dojo that has it. */
async function receiversOf(tx: Tx, phone: string): Promise<Receiver[]> {
  const since = new Date(now().getTime() - REPLY_WITHIN_MS).toISOString()
  return asOverseer(tx, async (over) => {
    const last = await over
      .select({ dojoId: messages.dojo_id, studentId: messages.student_id })
      .from(messages)
      .where(and(eq(messages.phone, phone), gt(messages.sent_at, since)))
      .orderBy(desc(messages.sent_at))
      .limit(1)
    return last.length > 0 ? last : everyDojoWith(over, phone)
  })
}

/** Phones are stored as they were typed, so the last digits narrow the search before each number is parsed. */
async function everyDojoWith(tx: Tx, phone: string): Promise<Receiver[]> {
  const candidates = await tx
    .select({ dojoId: students.dojo_id, studentId: students.id, typed: students.phone_number })
    .from(students)
    .where(sql`right(regexp_replace(${students.phone_number}, '\\D', '', 'g'), ${LAST_DIGITS}) = ${phone.slice(-LAST_DIGITS)}`)
  const matching = candidates.filter(({ typed }) => validPhone(typed) === phone)
  return [...new Map(matching.map((one) => [one.dojoId, one])).values()]
}

/** The words that carriers in the United States reserve for opting out and in, and for help. */
const KEYWORDS = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const satisfies Record<Keyword, readonly string[]>

/** The one reply to each. */
const KEYWORD_REPLIES: Record<Keyword, string> = {
  stop: 'You will get no more texts from us. Reply START to get them again.',
  start: 'You will get our texts again. Reply STOP to stop, HELP for help.',
  help: 'Texts from your dojo about classes and fees. For help, please ask your instructor. Reply STOP to stop. Message and data rates may apply.',
}

/** The keyword of an incoming text that consists of nothing else; a sentence that contains one is a message to the dojo. */
export function parseKeyword(text: string): Keyword | null {
  const word = text
    .trim()
    .replace(/^["'“”]+|["'“”.!]+$/g, '')
    .toUpperCase()
  const found = Object.entries(KEYWORDS).find(([, words]) => (words as readonly string[]).includes(word))
  return (found?.[0] as Keyword | undefined) ?? null
}

/** Opts the phone out or in where the text is a keyword; answers what to reply, null for nothing. */
export async function applyKeyword(tx: Tx, phone: string, text: string, options: OptOutOptions = {}): Promise<string | null> {
  const keyword = parseKeyword(text)
  if (keyword === 'stop') return (await optOut(tx, phone, options)) ? KEYWORD_REPLIES.stop : null
  if (keyword === 'start') return (await optIn(tx, phone, options)) ? KEYWORD_REPLIES.start : null
  return keyword && KEYWORD_REPLIES[keyword]
}
