import type { StudentPhone } from '@tatami/contract/conversations'
import { type SkipReason } from '@tatami/contract/message-types'
import { asc, eq, sql } from 'drizzle-orm'
import { instructorName } from '../../accounts/instructors.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { SUCCESS, type Member } from '../../http/serve.ts'
import { validPhone } from '../../lib/phone.ts'
import { notFound, Refusal } from '../../lib/refusal.ts'
import { students } from '../../students/tables.ts'
import { queueBatch } from '../compose.ts'
import { phonesOfStudents } from '../phones.ts'
import { optedOutAmong } from '../recipients.ts'
import { composeTexts, type SharedText } from '../shared-texts.ts'
import { requirePhone, setRead, touchConversations } from './conversations.ts'

/** Writes to a phone, which may be nobody's. Off the day's allowance (429 without room); 409 for a phone that has replied STOP. What the
 *  phone wrote before counts as read. */
export async function replyToPhone(tx: Tx, caller: Member, phone: string, text: string) {
  const holders = await requirePhone(tx, phone)
  if ((await optedOutAmong(tx, [phone])).has(phone)) throw new Refusal(409, 'This phone has replied STOP, so it gets no texts.')
  if (holders.length === 0 && text.includes('{name}')) throw nobodyToName()
  const parts = holders.map(({ student_id, name }) => ({ student_id, name, phone }))
  const texts = parts.length > 0 ? composeTexts(text, parts, 'text') : [{ phone, text, students: [] }]
  const sent = await send(tx, caller, text, texts)
  await setRead(tx, phone, true)
  return { ...sent, total_recipients: holders.length, skipped: [] }
}

function nobodyToName(): Refusal {
  const message = 'Link the number to a student first, or leave out {name}'
  return new Refusal(422, message, { errors: [{ field: 'text', message }] })
}

/** Texts these students, one text for each phone; those on vacation too, because somebody means just them. 404 for one who is not the
 *  dojo's; 409 where no text would reach anybody. */
export async function textStudents(tx: Tx, caller: Member, ids: readonly string[], text: string) {
  const chosen = await tx
    .select({ id: students.id, name: students.name })
    .from(students)
    .where(equalsAny(students.id, [...ids]))
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  if (chosen.length < new Set(ids).size) throw notFound('Student')
  const phones = await phonesOfStudents(tx, 'classes', [...ids])
  const optedOut = await optedOutAmong(
    tx,
    [...phones.values()].flat().map(({ phone }) => phone),
  )
  const parts = chosen.flatMap(({ id, name }) =>
    (phones.get(id) ?? []).filter(({ phone }) => !optedOut.has(phone)).map(({ phone }) => ({ student_id: id, name, phone })),
  )
  const skipped = chosen
    .filter(({ id }) => !parts.some(({ student_id }) => student_id === id))
    .map(({ id, name }) => ({
      student_id: id,
      name,
      reason: ((phones.get(id) ?? []).length > 0 ? 'opted_out' : 'no_valid_phone') as SkipReason,
    }))
  if (parts.length === 0) throw unreachable(skipped)
  return { ...(await send(tx, caller, text, composeTexts(text, parts, 'text'))), total_recipients: chosen.length - skipped.length, skipped }
}

function unreachable([first, ...others]: { name: string; reason: SkipReason }[]): Refusal {
  if (others.length > 0) return new Refusal(409, 'None of them has a phone that gets texts.')
  const why = first!.reason === 'opted_out' ? 'has replied STOP and gets no texts' : 'has no valid phone number'
  return new Refusal(409, `${first!.name} ${why}.`)
}

async function send(tx: Tx, caller: Member, text: string, texts: SharedText[]) {
  const sender_name = await instructorName(tx, caller.id)
  const batch_id = await queueBatch(tx, caller.dojoId, { kind: 'reply', text, sender_name, texts })
  await touchConversations(
    tx,
    texts.map(({ phone }) => phone),
  )
  return { ...SUCCESS, batch_id, total_texts: texts.length }
}

/** The students by name, each with the student's own phone. */
export async function listPeople(tx: Tx) {
  const rows = await tx
    .select({ student_id: students.id, name: students.name, typed: students.phone_number })
    .from(students)
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  return rows.map(({ typed, ...student }) => ({ ...student, phone_number: validPhone(typed) }))
}

/** The phones that a text about a student goes to, and which of them have replied STOP. */
export async function studentPhones(tx: Tx, id: string): Promise<StudentPhone[]> {
  const [student] = await tx.select({ id: students.id }).from(students).where(eq(students.id, id))
  if (!student) throw notFound('Student')
  const phones = (await phonesOfStudents(tx, 'classes', [id])).get(id) ?? []
  const optedOut = await optedOutAmong(
    tx,
    phones.map(({ phone }) => phone),
  )
  return phones.map(({ phone, holder, holder_name }) => ({ phone_number: phone, holder, holder_name, opted_out: optedOut.has(phone) }))
}
