import type { SchoolMessage } from '@tatami/contract/messages/school-messages'
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { findReplyPhone } from '../families/reply-phone.ts'
import { readGuardianById } from '../guardians/guardian-records.ts'
import { composeMessagesForReaders, findStudentsOfGuardian } from '../guardians/readers.ts'
import { guardianPhoneEnding, guardians } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { pick } from '../lib/rows.ts'
import { notifyEach } from '../notifications/notify.ts'
import { findHoldersOfPhone, readPhones, wherePhoneEnding } from '../texting/phones.ts'
import { incomingTexts, messageBatches, messages } from '../texting/tables.ts'
import { formatSignature, whereFromApp } from './school-messages.ts'

const MAX_LISTED_MESSAGES = 20
/** Texts in these states have left the server, whether they arrived or not. */
const STATES_AFTER_SENDING = [
  'accepted',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'uncertain',
] as const

/** Lists the guardian's messages from the app, and the school's answers since the first of them. */
export async function listOwnSchoolMessages(tx: Tx, { id }: Pick<DojoCaller, 'id'>) {
  const phone = await findReplyPhone(tx, id)
  if (phone === null) return { messages: [], shows_answers: true }
  const { name } = await readGuardianById(tx, id)
  const studentIds = await findStudentsOfGuardian(tx, id)
  const shows_answers = await isOwnPhone(tx, phone, name, studentIds)
  const ownMessages = await listMessagesFromApp(tx, phone, name)
  const oldestMessage = ownMessages.at(-1)
  const answers =
    shows_answers && oldestMessage ? await listAnswers(tx, phone, studentIds, oldestMessage.id) : []
  const newestFirst = [...ownMessages, ...answers].toSorted((first, second) =>
    second.id.localeCompare(first.id),
  )
  return { messages: newestFirst.slice(0, MAX_LISTED_MESSAGES), shows_answers }
}

/** Notifies the guardians who can read the answer among their own messages. */
export async function notifyOfAnswer(tx: Tx, dojoId: string, phone: string, text: string) {
  const accountIds = await findAnswerReaders(tx, phone)
  if (accountIds.length === 0) return
  const holders = await findHoldersOfPhone(tx, phone)
  const students = holders.map(({ student_id, name }) => ({ id: student_id, name }))
  const readerMessages = await composeMessagesForReaders(tx, students, text, { fees: false })
  const { name } = await dojoById(tx, dojoId)
  await notifyEach(
    tx,
    dojoId,
    { title: `An answer from ${name}`, template: text, opens: '/message-center' },
    readerMessages.filter(({ account_id }) => accountIds.includes(account_id)),
  )
}

async function findAnswerReaders(tx: Tx, phone: string): Promise<string[]> {
  const rows = await tx
    .select(pick(guardians, 'id'))
    .from(guardians)
    .where(and(isNotNull(guardians.account_id), wherePhoneEnding(guardianPhoneEnding, [phone])))
  const accountIds: string[] = []
  for (const { id } of rows) {
    if ((await findReplyPhone(tx, id)) !== phone) continue
    const { messages: ownMessages, shows_answers } = await listOwnSchoolMessages(tx, { id })
    if (shows_answers && ownMessages.length > 0) accountIds.push(id)
  }
  return accountIds
}

/** Lists the messages signed with the guardian's name, because others may use the same phone. */
async function listMessagesFromApp(tx: Tx, phone: string, name: string): Promise<SchoolMessage[]> {
  const ending = formatSignature(name)
  const rows = await tx
    .select(pick(incomingTexts, 'id', 'text', 'received_at'))
    .from(incomingTexts)
    .where(
      and(whereFromApp(phone), sql`right(${incomingTexts.text}, length(${ending})) = ${ending}`),
    )
    .orderBy(desc(incomingTexts.id))
    .limit(MAX_LISTED_MESSAGES)
  return rows.map(({ id, text, received_at }) => ({
    id,
    is_answer: false,
    text: text.slice(0, -ending.length),
    sent_at: received_at,
  }))
}

/** True if nobody else in the school uses the phone, so that all answers are for the guardian. */
async function isOwnPhone(tx: Tx, phone: string, name: string, studentIds: string[]) {
  const holders = await readPhones(tx, { phones: [phone] })
  return holders.every(
    ({ student_id, holder, holder_name }) =>
      studentIds.includes(student_id) && (holder === 'student' || holder_name === name),
  )
}

async function listAnswers(
  tx: Tx,
  phone: string,
  studentIds: string[],
  sinceId: string,
): Promise<SchoolMessage[]> {
  const rows = await tx
    .select(pick(messages, 'id', 'text', 'sent_at', 'updated_at'))
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(
      and(
        eq(messages.phone, phone),
        isNull(messages.sent_with),
        eq(messageBatches.kind, 'reply'),
        inArray(messages.state, [...STATES_AFTER_SENDING]),
        gt(messages.id, sinceId),
        or(isNull(messages.student_id), equalsAny(messages.student_id, studentIds)),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(MAX_LISTED_MESSAGES)
  return rows.map(({ id, text, sent_at, updated_at }) => ({
    id,
    is_answer: true,
    text: text ?? '',
    sent_at: sent_at ?? updated_at,
  }))
}
