import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/fields'
import type { IncomingText } from '@tatami/contract/text-history'
import { and, count, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import { asOverseer, insideDojo, type Tx } from '../db/database.ts'
import { DAY_MS, now, nowIso } from '../lib/clock.ts'
import { students } from '../students/tables.ts'
import { applyKeyword, parseKeyword } from './opt-outs.ts'
import { validPhone } from './recipients.ts'
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
