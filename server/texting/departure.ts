import { fillTemplate } from '@tatami/contract/message-types'
import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { textConsents } from '../consent/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { guardianPhoneEnding, guardianPhones, guardians } from '../families/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { sha256 } from '../lib/secrets.ts'
import { students } from '../students/tables.ts'
import { conversations } from './conversations/tables.ts'
import { holdersOf, mayBePhone } from './phones.ts'
import { inCents } from './shared-texts.ts'
import { everyPhoneOf } from './student-phones.ts'
import { incomingTexts, messageBatches, messages, textId } from './tables.ts'

/**
 * Takes a student out of what they share with others, before the student is deleted with all that is theirs alone: texts that name others
 * too name only these from now on, and what came from a family's phone stays with the others. A phone that is nobody's any more loses its
 * conversation; that somebody agreed to texts there remains as a hash and dates.
 */
export async function removeFromTexts(tx: Tx, studentId: string): Promise<void> {
  const phones = await phonesKnownOf(tx, studentId)
  await leaveSharedTexts(tx, studentId)
  const holders = await holdersOf(tx, phones)
  for (const phone of phones) {
    const heir = holders.get(phone)?.find(({ student_id }) => student_id !== studentId)
    if (heir)
      await tx
        .update(incomingTexts)
        .set({ student_id: heir.student_id })
        .where(and(eq(incomingTexts.phone, phone), eq(incomingTexts.student_id, studentId)))
    else if (!(await isGuardians(tx, phone))) await forgetPhone(tx, phone)
  }
}

/** Every phone of the student, and those that texts about the student went to or came from. */
async function phonesKnownOf(tx: Tx, studentId: string): Promise<string[]> {
  const own = (await everyPhoneOf(tx, studentId)).map(({ phone_number }) => phone_number)
  const { rows } = await tx.execute<{ phone: string }>(sql`
    select phone from ${messages} where student_id = ${studentId} and phone is not null
    union select phone from ${incomingTexts} where student_id = ${studentId}`)
  return [...new Set([...own, ...rows.map(({ phone }) => phone)])]
}

async function forgetPhone(tx: Tx, phone: string): Promise<void> {
  await tx.delete(conversations).where(eq(conversations.phone, phone))
  await tx
    .update(textConsents)
    .set({ phone: sha256(phone), given_by: null, address: null, words: null })
    .where(eq(textConsents.phone, phone))
}

/** Forgets the numbers, as they were typed, of a guardian who was deleted, but for those that are somebody else's too: no conversation, and of
 *  what was agreed to there a hash and dates. */
export async function forgetPhonesOfNobody(tx: Tx, typed: string[]): Promise<void> {
  for (const phone of new Set(typed.flatMap((one) => validPhone(one) ?? [])))
    if (!(await isSomebodys(tx, phone))) await forgetPhone(tx, phone)
}

/** Of consents that an import recorded, and that is undone, a hash and dates stay where nobody has the phone. */
export async function forgetImportedConsents(tx: Tx, ids: string[]): Promise<void> {
  const rows = await tx
    .selectDistinct({ phone: textConsents.phone })
    .from(textConsents)
    .where(equalsAny(textConsents.id, ids))
  const phones = rows.map(({ phone }) => phone).filter((phone) => phone.startsWith('+'))
  const holders = await holdersOf(tx, phones)
  for (const phone of phones)
    if (!holders.has(phone) && !(await isGuardians(tx, phone)))
      await tx
        .update(textConsents)
        .set({ phone: sha256(phone), given_by: null, address: null, words: null })
        .where(eq(textConsents.phone, phone))
}

const isSomebodys = async (tx: Tx, phone: string): Promise<boolean> =>
  (await holdersOf(tx, [phone])).has(phone) || (await isGuardians(tx, phone))

/** Whether a guardian has the number, of whomever or of nobody any more. */
async function isGuardians(tx: Tx, phone: string): Promise<boolean> {
  const likely = await tx
    .select({ typed: guardians.phone })
    .from(guardians)
    .where(mayBePhone(guardianPhoneEnding, [phone]))
  return (
    likely.some(({ typed }) => validPhone(typed) === phone) ||
    (await tx.$count(guardianPhones, eq(guardianPhones.phone, phone))) > 0
  )
}

/** The provider may have it and is asked by its words, so the words cannot be changed: it goes as a whole, as one to the student alone does. */
const IN_DOUBT = ['sending', 'in_doubt', 'uncertain']

async function leaveSharedTexts(tx: Tx, studentId: string): Promise<void> {
  const shared = await tx
    .select({ id: textId })
    .from(messages)
    .where(
      and(
        eq(messages.student_id, studentId),
        or(eq(messages.is_shared, true), sql`${messages.sent_with} is not null`),
      ),
    )
  const ids = shared.map(({ id }) => id)
  if (ids.length === 0) return
  await tx
    .select({ id: messages.id })
    .from(messages)
    .where(equalsAny(messages.id, ids))
    .for('update')
  await tx.execute(sql`delete from ${messages} using ${messageBatches} b where b.dojo_id = messages.dojo_id and b.id = messages.batch_id
    and ${equalsAny(messages.id, ids)} and (${inArray(messages.state, IN_DOUBT as never)} or b.kind = 'auto_reply')`)
  const rows = await tx
    .select({
      id: messages.id,
      text_id: textId,
      student_id: messages.student_id,
      name: students.name,
      amount: messages.amount,
      template: messageBatches.text,
    })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .innerJoin(students, eq(students.id, messages.student_id))
    .where(
      and(
        or(equalsAny(messages.id, ids), equalsAny(messages.sent_with, ids)),
        ne(messages.student_id, studentId),
      ),
    )
    .orderBy(asc(sql`lower(${students.name})`), asc(messages.id))
  const changes = [...Map.groupBy(rows, ({ text_id }) => text_id)].map(([id, others]) => {
    // The row that was sent stays: what the provider reports names it. If it was the leaving student's, another takes it over.
    const own = others.find((row) => row.id === id) ?? others[0]!
    return {
      id,
      student_id: own.student_id,
      replaced: own.id === id ? null : own.id,
      text: fillTemplate(own.template, others),
      is_shared: others.length > 1,
      amount: inCents(own.amount),
    }
  })
  const given = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as r(id uuid, student_id uuid, replaced uuid, text text, is_shared boolean, amount bigint)`
  await tx.execute(sql`delete from messages m using ${given} where m.id = r.replaced`)
  await tx.execute(
    sql`update messages m set student_id = r.student_id, text = r.text, is_shared = r.is_shared, amount = r.amount from ${given} where m.id = r.id`,
  )
  await tx.execute(sql`update messages m set text = r.text from ${given} where m.sent_with = r.id`)
}
