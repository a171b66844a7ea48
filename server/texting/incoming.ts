import { and, desc, eq, getTableName, gt, sql } from 'drizzle-orm'
import { DAY_MS, now } from '../lib/clock.ts'
import { asOverseer, insideDojo, type Tx, WRITTEN } from '../db/database.ts'
import { students } from '../students/tables.ts'
import { optIn, optOut, type StopOptions } from './opt-outs.ts'
import { validPhone } from './phones.ts'
import { ANSWERS, wishIn } from './stop-words.ts'
import { incomingTexts, messages, providerMessages } from './tables.ts'

const ANSWERS_WITHIN_MS = 30 * DAY_MS

type Incoming = { id: string; from: string; text: string }
type Addressee = { dojoId: string; studentId: string | null }

/** Takes an incoming text, once however often it comes; answers what to reply, null for nothing. */
export async function takeIncoming(tx: Tx, { id, from, text }: Incoming): Promise<string | null> {
  const [isNew] = await tx
    .insert(providerMessages)
    .values({ id, status: 'received' })
    .onConflictDoNothing()
    .returning({ id: providerMessages.id })
  if (!isNew) return null
  for (const { dojoId, studentId } of await addresseesOf(tx, from)) {
    await insideDojo(tx, dojoId, (inside) =>
      inside.insert(incomingTexts).values({ provider_id: id, student_id: studentId, phone: from, text }).onConflictDoNothing(),
    )
    // The transaction is of no dojo, and speaks for none by itself.
    await tx.publish(WRITTEN, `${dojoId}:${getTableName(incomingTexts)}`)
  }
  return heedWish(tx, from, text)
}

/** Does what the text asks for, if it is STOP, START or HELP; answers what to reply, null for nothing. */
export async function heedWish(tx: Tx, phone: string, text: string, how: StopOptions = {}): Promise<string | null> {
  const wish = wishIn(text)
  if (wish === 'stop') return (await optOut(tx, phone, how)) ? ANSWERS.stop : null
  if (wish === 'start') return (await optIn(tx, phone, how)) ? ANSWERS.start : null
  return wish && ANSWERS[wish]
}

/** The dojo that last wrote to the phone, or, when none did lately, every dojo that has it. */
async function addresseesOf(tx: Tx, phone: string): Promise<Addressee[]> {
  const lately = new Date(now().getTime() - ANSWERS_WITHIN_MS).toISOString()
  return asOverseer(tx, async (over) => {
    const written = await over
      .select({ dojoId: messages.dojo_id, studentId: messages.student_id })
      .from(messages)
      .where(and(eq(messages.phone, phone), gt(messages.sent_at, lately)))
      .orderBy(desc(messages.sent_at))
      .limit(1)
    return written.length > 0 ? written : everyDojoWith(over, phone)
  })
}

const LAST_DIGITS = 7

/** Phones are kept as they were typed, so the last digits narrow the search and the rule decides. */
async function everyDojoWith(tx: Tx, phone: string): Promise<Addressee[]> {
  const alike = await tx
    .select({ dojoId: students.dojo_id, studentId: students.id, typed: students.phone_number })
    .from(students)
    .where(sql`right(regexp_replace(${students.phone_number}, '\\D', '', 'g'), ${LAST_DIGITS}) = ${phone.slice(-LAST_DIGITS)}`)
  const theirs = alike.filter(({ typed }) => validPhone(typed) === phone)
  return [...new Map(theirs.map((one) => [one.dojoId, one])).values()]
}
