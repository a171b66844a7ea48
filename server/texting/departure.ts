import { encodeSkipReason, fillTemplate } from '@tatami/contract/texting/message-types'
import type { TextState } from '@tatami/contract/texting/text-history'
import { and, asc, eq, inArray, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import { textConsents } from '../consent/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { asOverseer, type Tx } from '../db/database.ts'
import { guardianPhoneEnding, guardianPhones, guardians } from '../guardians/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { groupRows, pluck } from '../lib/rows.ts'
import { sha256 } from '../lib/secrets.ts'
import { students } from '../students/tables.ts'
import { forgetConsentForms } from './consent-forms.ts'
import { findDojosWithPhone } from './dojos-with-phone.ts'
import { conversations } from './conversations/tables.ts'
import { listStudentPhones, findHolders, wherePhoneEnding } from './phones.ts'
import { transition } from './delivery/states.ts'
import { hashOptOut, hashOwnNumberOptOut } from './opt-outs.ts'
import { dollarsToCents } from './shared-texts.ts'
import { incomingTexts, messageBatches, messages, textId } from './tables.ts'

/** Removes a student from all texts. Texts shared with other students stay, without the name.
 *  Returns the student's phones, which `forgetPhones` needs after the student is deleted. */
export async function removeStudentFromTexts(tx: Tx, studentId: string): Promise<string[]> {
  const phones = await findAllPhones(tx, studentId)
  const batches = await tx
    .selectDistinct({ id: messages.batch_id })
    .from(messages)
    .where(eq(messages.student_id, studentId))
  await removeFromSharedTexts(tx, studentId)
  await tx.delete(messages).where(eq(messages.student_id, studentId))
  await deleteEmptyBatches(tx, pluck(batches, 'id'))
  await removeFromConsents(tx, phones, studentId)
  const holders = await findHolders(tx, phones)
  for (const phone of phones) {
    const otherHolder = holders.get(phone)?.find(({ student_id }) => student_id !== studentId)
    if (otherHolder)
      await tx
        .update(incomingTexts)
        .set({ student_id: otherHolder.student_id })
        .where(and(eq(incomingTexts.phone, phone), eq(incomingTexts.student_id, studentId)))
  }
  return phones
}

/** Skips texts to only this student that wait for the next day's allowance. Texts shared with other
 *  students keep waiting. */
export async function skipWaitingTexts(tx: Tx, studentId: string): Promise<void> {
  const isOwnText = and(
    eq(messages.student_id, studentId),
    eq(messages.is_shared, false),
    isNull(messages.sent_with),
  )
  await transition(tx, 'skip', isOwnText, {
    reason: encodeSkipReason({ reason: 'left' }),
    phone: null,
    text: null,
    updated_at: nowIso(),
  })
}

async function deleteEmptyBatches(tx: Tx, batchIds: string[]): Promise<void> {
  const textsOfBatch = tx
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.batch_id, messageBatches.id))
  await tx
    .delete(messageBatches)
    .where(and(equalsAny(messageBatches.id, batchIds), notExists(textsOfBatch)))
}

async function removeFromConsents(tx: Tx, phones: string[], studentId: string): Promise<void> {
  const [student] = await tx
    .select({ name: students.name })
    .from(students)
    .where(eq(students.id, studentId))
  if (!student) return
  await tx
    .update(textConsents)
    .set({ given_by: null })
    .where(
      and(
        equalsAny(textConsents.phone, phones),
        sql`lower(${textConsents.given_by}) = lower(${student.name})`,
      ),
    )
}

/** Finds the phones of the student and the guardians, and all phones in texts about the student. */
async function findAllPhones(tx: Tx, studentId: string): Promise<string[]> {
  const ownPhones = (await listStudentPhones(tx, studentId)).map(({ phone_number }) => phone_number)
  const { rows } = await tx.execute<{ phone: string }>(sql`
    select phone from ${messages} where student_id = ${studentId} and phone is not null
    union select phone from ${incomingTexts} where student_id = ${studentId}`)
  return [...new Set([...ownPhones, ...rows.map(({ phone }) => phone)])]
}

/** Deletes what is stored about these phones. Skips phones that somebody in this dojo still has. */
export async function forgetPhones(tx: Tx, phones: string[]): Promise<void> {
  for (const phone of phones) {
    if (!(await belongsToSomebody(tx, phone))) await forgetPhone(tx, phone)
  }
}

/** Like `forgetPhones`, but for people who are neither students nor guardians. Also deletes the
 *  texts to and from their phones. */
export async function forgetVisitorPhones(tx: Tx, phones: readonly string[]): Promise<void> {
  for (const phone of phones) {
    if (await belongsToSomebody(tx, phone)) continue
    const isText = and(eq(messages.phone, phone), isNull(messages.student_id))
    const batches = await tx.selectDistinct({ id: messages.batch_id }).from(messages).where(isText)
    await tx.delete(messages).where(isText)
    await deleteEmptyBatches(tx, pluck(batches, 'id'))
    await tx
      .delete(incomingTexts)
      .where(and(eq(incomingTexts.phone, phone), isNull(incomingTexts.student_id)))
    await forgetPhone(tx, phone)
  }
}

async function forgetPhone(tx: Tx, phone: string): Promise<void> {
  await tx.delete(conversations).where(eq(conversations.phone, phone))
  await hashConsents(tx, phone)
  await hashOwnNumberOptOut(tx, phone)
  const dojosWithPhone = await asOverseer(tx, (overseerTx) => findDojosWithPhone(overseerTx, phone))
  if (dojosWithPhone.size > 0) return
  await hashOptOut(tx, phone)
  await forgetConsentForms(tx, phone)
}

export async function forgetTypedPhones(tx: Tx, typedPhones: string[]): Promise<void> {
  await forgetPhones(tx, [...new Set(typedPhones.flatMap((phone) => validPhone(phone) ?? []))])
}

/** `ids` are the ids of the consents. Skips phones that someone still has. */
export async function forgetImportedConsents(tx: Tx, ids: string[]): Promise<void> {
  const rows = await tx
    .selectDistinct({ phone: textConsents.phone })
    .from(textConsents)
    .where(equalsAny(textConsents.id, ids))
  const phones = pluck(rows, 'phone').filter((phone) => phone.startsWith('+'))
  const holders = await findHolders(tx, phones)
  for (const phone of phones)
    if (!holders.has(phone) && !(await belongsToGuardian(tx, phone))) await hashConsents(tx, phone)
}

/** Keeps only a hash of the phone, the event and its date. */
const hashConsents = (tx: Tx, phone: string) =>
  tx
    .update(textConsents)
    .set({ phone: sha256(phone), given_by: null, address: null, words: null })
    .where(eq(textConsents.phone, phone))

const belongsToSomebody = async (tx: Tx, phone: string): Promise<boolean> =>
  (await findHolders(tx, [phone])).has(phone) || (await belongsToGuardian(tx, phone))

async function belongsToGuardian(tx: Tx, phone: string): Promise<boolean> {
  const candidateGuardians = await tx
    .select({ typedPhone: guardians.phone })
    .from(guardians)
    .where(wherePhoneEnding(guardianPhoneEnding, [phone]))
  return (
    candidateGuardians.some(({ typedPhone }) => validPhone(typedPhone) === phone) ||
    (await tx.$count(guardianPhones, eq(guardianPhones.phone, phone))) > 0
  )
}

/** In these states, a worker may search for a text by its wording, so it must not change. */
const STATES_IN_DOUBT: TextState[] = ['sending', 'in_doubt', 'uncertain']

/** Locks the shared texts of a student. Deletes automatic replies, and texts whose wording must not
 *  change. */
async function lockSharedTexts(tx: Tx, studentId: string): Promise<string[]> {
  const sharedTexts = await tx
    .select({ id: textId })
    .from(messages)
    .where(
      and(
        eq(messages.student_id, studentId),
        or(eq(messages.is_shared, true), sql`${messages.sent_with} is not null`),
      ),
    )
  const ids = pluck(sharedTexts, 'id')
  if (ids.length === 0) return []
  await tx
    .select({ id: messages.id })
    .from(messages)
    .where(equalsAny(messages.id, ids))
    .for('update')
  await tx.execute(sql`
    delete from ${messages} using ${messageBatches} b
    where b.dojo_id = messages.dojo_id and b.id = messages.batch_id
      and ${equalsAny(messages.id, ids)}
      and (${inArray(messages.state, STATES_IN_DOUBT)} or b.kind = 'auto_reply')`)
  return ids
}

async function removeFromSharedTexts(tx: Tx, studentId: string): Promise<void> {
  const ids = await lockSharedTexts(tx, studentId)
  if (ids.length === 0) return
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
  const changes = [...groupRows(rows, ({ text_id }) => text_id)].map(([id, remainingRows]) => {
    // The provider knows the text by the id of its first row, so another student takes over that
    // row.
    const keptRow = remainingRows.find((row) => row.id === id) ?? remainingRows[0]
    return {
      id,
      student_id: keptRow.student_id,
      replaced_row_id: keptRow.id === id ? null : keptRow.id,
      text: fillTemplate(keptRow.template, remainingRows),
      is_shared: remainingRows.length > 1,
      amount: dollarsToCents(keptRow.amount),
    }
  })
  const changesTable = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as r(
    id uuid, student_id uuid, replaced_row_id uuid, text text, is_shared boolean, amount bigint)`
  await tx.execute(sql`delete from messages m using ${changesTable} where m.id = r.replaced_row_id`)
  await tx.execute(sql`
    update messages m set
      student_id = r.student_id, text = r.text, is_shared = r.is_shared, amount = r.amount
    from ${changesTable} where m.id = r.id`)
  await tx.execute(
    sql`update messages m set text = r.text from ${changesTable} where m.sent_with = r.id`,
  )
}
