import type { EVEN_ON_VACATION } from '@tatami/contract/texting/conversations'
import type { PhoneHolder, StudentPhone } from '@tatami/contract/texting/phones'
import type { SkipReason } from '@tatami/contract/texting/message-types'
import { and, eq } from 'drizzle-orm'
import { findInstructorName } from '../../accounts/instructors.ts'
import { auditAction } from '../../audit/audit.ts'
import { equalsAny } from '../../db/bulk.ts'
import { byName } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { requireStudent, type Topic } from '../../guardians/guardians.ts'
import { SUCCESS, type DojoCaller } from '../../http/serve.ts'
import { pluck } from '../../lib/rows.ts'
import { invalid, notFound, Refusal } from '../../lib/refusal.ts'
import { isCurrentStudent, students } from '../../students/tables.ts'
import { leads } from '../../trials/tables.ts'
import { queueBatch } from '../batches.ts'
import { findPhonesOfStudents, readPhones } from '../phones.ts'
import { type OptOutReason, findOptOuts } from '../opt-outs.ts'
import { composeTexts, type SharedText } from '../shared-texts.ts'
import { incomingTexts, messages, undeliverablePhones } from '../tables.ts'
import {
  requireVacationConfirmation,
  findNamesOnVacation,
  createVacationQuestion,
} from './vacation-question.ts'
import { requirePhone, setRead, touchConversations } from './conversations.ts'

const OPT_OUT_MESSAGES: Record<OptOutReason, string> = {
  replied_stop: 'This phone has replied STOP, so it gets no texts.',
  withdrawn: 'This phone’s owner no longer agrees to texts, so it gets none.',
}

type VacationConfirmation = { [EVEN_ON_VACATION]?: boolean | null | undefined }
type Reply = VacationConfirmation & { text: string; up_to?: string | null | undefined }
type PersonalText = VacationConfirmation & { text: string; topic: Topic }

/** Marks the phone's texts up to `up_to` as read. Throws 409 if the phone gets no texts. */
export async function replyToPhone(
  tx: Tx,
  caller: DojoCaller,
  phone: string,
  { text, up_to, even_on_vacation }: Reply,
) {
  const holders = await requirePhone(tx, phone)
  const optOut = (await findOptOuts(tx, [phone])).get(phone)
  if (optOut) throw new Refusal(409, OPT_OUT_MESSAGES[optOut])
  if (up_to && !(await isTextOfPhone(tx, phone, up_to))) throw notFound('Message')
  if (holders.length === 0 && text.includes('{name}')) throw createNoNameRefusal()
  if (holders.length > 0) await requireKnownPhone(tx, phone, holders)
  else await requireLeadAgreed(tx, phone)
  if (!even_on_vacation) await requireReplyConfirmed(tx, holders)
  const addressees = holders.map(({ student_id, name }) => ({ student_id, name, phone }))
  const texts =
    addressees.length > 0 ? composeTexts(text, addressees, 'text') : [{ phone, text, students: [] }]
  const result = await queueReply(tx, caller, text, texts)
  await setRead(tx, phone, true, up_to)
  return { ...result, total_recipients: holders.length, skipped: [] }
}

/** A reply to a family's phone needs a confirmation only if all its students are on vacation. */
async function requireReplyConfirmed(tx: Tx, holders: PhoneHolder[]): Promise<void> {
  const ids = [...new Set(pluck(holders, 'student_id'))]
  const names = await findNamesOnVacation(tx, ids)
  if (names.length > 0 && names.length === ids.length) throw createVacationQuestion(names)
}

/** Throws 409 if all students await approval, because the phone may be somebody else's. A phone is
 *  known if it has texted us or was linked. */
async function requireKnownPhone(tx: Tx, phone: string, holders: PhoneHolder[]): Promise<void> {
  if (holders.some(({ holder }) => holder === 'linked')) return
  const ids = pluck(holders, 'student_id')
  const whereApproved = and(equalsAny(students.id, ids), eq(students.awaits_approval, false))
  if ((await tx.$count(students, whereApproved)) > 0) return
  const [holder] = holders
  if (holder && (await tx.$count(incomingTexts, eq(incomingTexts.phone, phone))) === 0)
    throw createNotApprovedRefusal(holder.name)
}

/** Throws 409 for the phone of a lead who has neither agreed to texts nor texted us. */
async function requireLeadAgreed(tx: Tx, phone: string): Promise<void> {
  const leadRows = await tx
    .select({ purposes: leads.purposes })
    .from(leads)
    .where(eq(leads.phone, phone))
  if (leadRows.length === 0 || leadRows.some(({ purposes }) => purposes.includes('service_text')))
    return
  if ((await tx.$count(incomingTexts, eq(incomingTexts.phone, phone))) === 0)
    throw new Refusal(409, 'This phone has not agreed to texts yet. Please call or email.')
}

const createNotApprovedRefusal = (name: string) =>
  new Refusal(409, `${name} isn’t approved yet and gets no texts.`)

async function isTextOfPhone(tx: Tx, phone: string, id: string): Promise<boolean> {
  const whereReceived = and(eq(incomingTexts.id, id), eq(incomingTexts.phone, phone))
  const whereSent = and(eq(messages.id, id), eq(messages.phone, phone))
  const count =
    (await tx.$count(incomingTexts, whereReceived)) + (await tx.$count(messages, whereSent))
  return count > 0
}

const createNoNameRefusal = () =>
  invalid('text', 'Link the number to a student first, or leave out {name}')

export async function textStudents(
  tx: Tx,
  caller: DojoCaller,
  ids: readonly string[],
  { text, even_on_vacation }: Omit<PersonalText, 'topic'>,
) {
  const result = await sendTextsAbout(tx, caller, ids, { text, topic: 'classes', even_on_vacation })
  await auditAction(tx, caller, 'texts sent', {
    details: { kind: 'reply', students: result.total_recipients },
  })
  return result
}

/** Throws 409 if nobody would get a text, or if a student is on vacation and the caller has not
 *  confirmed the text. */
export async function sendTextsAbout(
  tx: Tx,
  caller: DojoCaller,
  ids: readonly string[],
  { text, topic, even_on_vacation }: PersonalText,
) {
  const studentRows = await tx
    .select({
      id: students.id,
      name: students.name,
      awaitsApproval: students.awaits_approval,
      leftOn: students.left_on,
    })
    .from(students)
    .where(equalsAny(students.id, [...ids]))
    .orderBy(...byName(students))
  if (studentRows.length < new Set(ids).size) throw notFound('Student')
  await requireVacationConfirmation(tx, ids, even_on_vacation)
  const phones = await findPhonesOfStudents(tx, topic, [...ids])
  const optOutByPhone = await findOptOuts(
    tx,
    [...phones.values()].flat().map(({ phone }) => phone),
  )
  const addressees = studentRows
    .filter(({ awaitsApproval, leftOn }) => !awaitsApproval && leftOn === null)
    .flatMap(({ id, name }) =>
      (phones.get(id) ?? [])
        .filter(({ phone }) => !optOutByPhone.has(phone))
        .map(({ phone }) => ({ student_id: id, name, phone })),
    )
  const skippedStudents = studentRows
    .filter(({ id }) => !addressees.some(({ student_id }) => student_id === id))
    .map(({ id, name, ...student }) => {
      const hasPhone = (phones.get(id) ?? []).length > 0
      return { student_id: id, name, reason: findSkipReason(student, hasPhone) }
    })
  if (addressees.length === 0)
    throw createNobodyReachableRefusal(
      skippedStudents,
      [...optOutByPhone.values()].includes('replied_stop'),
    )
  const total_recipients = studentRows.length - skippedStudents.length
  const result = await queueReply(tx, caller, text, composeTexts(text, addressees, 'text'))
  return { ...result, total_recipients, skipped: skippedStudents }
}

type StudentStatus = { awaitsApproval: boolean; leftOn: string | null }

function findSkipReason({ awaitsApproval, leftOn }: StudentStatus, hasPhone: boolean): SkipReason {
  if (leftOn !== null) return 'left'
  if (awaitsApproval) return 'awaits_approval'
  return hasPhone ? 'opted_out' : 'no_valid_phone'
}

function createNobodyReachableRefusal(
  skippedStudents: { name: string; reason: SkipReason }[],
  hasRepliedStop: boolean,
) {
  const [student, ...otherStudents] = skippedStudents
  if (!student || otherStudents.length > 0)
    return new Refusal(409, 'None of these students has a phone that gets texts.')
  const { name, reason } = student
  if (reason === 'left') return new Refusal(409, `${name} is a former student and gets no texts.`)
  if (reason === 'awaits_approval') return createNotApprovedRefusal(name)
  if (reason === 'no_valid_phone') return new Refusal(409, `${name} has no valid phone number.`)
  return new Refusal(
    409,
    hasRepliedStop
      ? `${name} has replied STOP and gets no texts.`
      : `${name} no longer agrees to texts and gets none.`,
  )
}

async function queueReply(tx: Tx, caller: DojoCaller, text: string, texts: SharedText[]) {
  const sender_name = await findInstructorName(tx, caller.id)
  const batch_id = await queueBatch(tx, caller.dojoId, { kind: 'reply', text, sender_name, texts })
  await touchConversations(tx, pluck(texts, 'phone'))
  return { ...SUCCESS, batch_id, total_texts: texts.length }
}

export async function listPeople(tx: Tx) {
  const rows = await tx
    .select({ student_id: students.id, name: students.name })
    .from(students)
    .where(isCurrentStudent)
    .orderBy(...byName(students))
  const phonesByStudent = Map.groupBy(await readPhones(tx), ({ student_id }) => student_id)
  return rows.map((student) => {
    const phones = phonesByStudent.get(student.student_id) ?? []
    return {
      ...student,
      phone_number: phones.find(({ holder }) => holder === 'student')?.phone ?? null,
      other_phones: phones
        .filter(({ holder }) => holder !== 'student')
        .map(({ phone, holder_name }) => ({ phone_number: phone, holder_name }))
        .toSorted((first, second) => first.phone_number.localeCompare(second.phone_number)),
    }
  })
}

export async function listTextedPhones(
  tx: Tx,
  id: string,
  topic: Topic = 'classes',
): Promise<StudentPhone[]> {
  await requireStudent(tx, id)
  const phones = (await findPhonesOfStudents(tx, topic, [id])).get(id) ?? []
  const optOutByPhone = await findOptOuts(tx, pluck(phones, 'phone'))
  const undeliverableRows = await tx
    .select({ phone: undeliverablePhones.phone })
    .from(undeliverablePhones)
    .where(eq(undeliverablePhones.student_id, id))
  const findObstacle = (phone: string) =>
    optOutByPhone.get(phone) ??
    (undeliverableRows.some((row) => row.phone === phone) ? 'undeliverable' : null)
  return phones.map(({ phone, ...holder }) => ({
    phone_number: phone,
    ...holder,
    obstacle: findObstacle(phone),
  }))
}
