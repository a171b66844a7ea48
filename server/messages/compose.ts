import { monthOfDate } from '@tatami/contract/lib/calendar-day'
import {
  AMOUNT_PLACEHOLDER,
  ANNOUNCEMENT_HEADINGS,
  type BatchKind,
  isFeeMessage,
} from '@tatami/contract/texting/message-types'
import {
  type BulkDraft,
  type BulkMessage,
  EVEN_TO_MANY,
  type Preview,
  type SentBulk,
} from '@tatami/contract/texting/bulk-message'
import { segmentsOf } from '@tatami/contract/texting/segments'
import { findInstructorName } from '../accounts/instructors.ts'
import { readStaffRules } from '../accounts/staff-rules.ts'
import { auditAction } from '../audit/audit.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Tx } from '../db/database.ts'
import { requireRight, SUCCESS, type DojoCaller } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { readUsageToday } from '../texting/allowance.ts'
import { announce } from './announcements/announcements.ts'
import { amountsLeftToPay, feeAmounts } from '../dues/amounts.ts'
import { owedAmounts } from '../dues/balances.ts'
import { createFeeLinks, NO_LINKS, createSampleLinks } from './fee-links.ts'
import { readFeeAmounts } from './fee-amounts.ts'
import { type Audience, getsNotice, type Recipient, resolveRecipients } from './recipients.ts'
import { composeTexts } from '../texting/shared-texts.ts'
import { type NewBatch, queueBatch } from '../texting/batches.ts'

/** Requires the right `money.see` if the recipients or amounts would reveal what students owe. */
async function resolveAudience(
  tx: Tx,
  { dojoId, staff }: DojoCaller,
  message: BulkDraft,
): Promise<Audience> {
  const today = await todayOf(tx, dojoId)
  const currentMonth = monthOfDate(today)
  const studentIds = message.selected_students ?? null
  const isAboutFees = isFeeMessage(message.message_type)
  const month = {
    month: message.selected_month ?? currentMonth.month,
    year: message.selected_year ?? currentMonth.year,
  }
  const excludePaid = message.exclude_paid_students ?? false
  if (isAboutFees || excludePaid) requireRight(staff, 'money.see')
  const readAmounts = () => {
    if (message.amount_of === 'balance') return owedAmounts(tx, dojoId)
    return excludePaid ? amountsLeftToPay(tx, dojoId, month) : feeAmounts(tx, dojoId, month)
  }
  return {
    topic: isAboutFees ? 'dues' : 'classes',
    studentIds,
    ...(isAboutFees && {
      promises: { today, areExcluded: studentIds === null },
      ...(await readFeeAmounts(tx, dojoId, await readAmounts(), month)),
    }),
    classIds: message.selected_classes?.length ? message.selected_classes : null,
    month,
    excludeTrial: isAboutFees,
    excludePaid,
  }
}

type ComposedBatch = Required<Pick<NewBatch, 'kind' | 'text' | 'texts' | 'skipped'>> &
  Pick<SentBulk, 'skipped' | 'total_recipients'>

const NO_AMOUNTS: ReadonlyMap<string, number> = new Map()

/** Throws 422 if a text becomes too long with the names in it. */
export function composeBatch(
  kind: BatchKind,
  template: string,
  recipients: Recipient[],
  amounts = NO_AMOUNTS,
  payLinks = NO_LINKS,
): ComposedBatch {
  const addressees = recipients.flatMap(({ id, name, phones }) =>
    phones.map((phone) => ({
      student_id: id,
      name,
      phone,
      amount: amounts.get(id),
      payLink: payLinks.get(id),
    })),
  )
  const skippedStudents = recipients.flatMap(({ id, name, reason, promised_on = null }) =>
    reason === null ? [] : [{ student_id: id, name, reason, promised_on }],
  )
  const total_recipients = recipients.length - skippedStudents.length
  return {
    kind,
    text: template,
    texts: composeTexts(template, addressees),
    skipped: skippedStudents,
    total_recipients,
  }
}

/** Throws 409 for staff who are not owners, if the message goes to more people than the owner
 *  allows without a confirmation. */
async function requireConfirmationForMany(
  tx: Tx,
  { staff }: DojoCaller,
  recipientCount: number,
): Promise<void> {
  if (!staff || staff.isOwner) return
  const { max_recipients } = await readStaffRules(tx)
  if (recipientCount <= max_recipients) return
  const message = `This goes to ${recipientCount} students. Send it again to confirm.`
  throw new Refusal(409, message, { errors: [{ field: EVEN_TO_MANY, message }] })
}

export async function sendBulkMessage(
  tx: Tx,
  caller: DojoCaller,
  message: BulkMessage,
): Promise<SentBulk> {
  const { message_type, custom_message } = message
  const audience = await resolveAudience(tx, caller, message)
  const recipients = await resolveRecipients(tx, audience)
  const hasAmount = custom_message.includes(AMOUNT_PLACEHOLDER)
  const amounts = hasAmount ? (audience.amounts ?? NO_AMOUNTS) : NO_AMOUNTS
  const payLinks = await createFeeLinks(tx, caller.dojoId, message_type, recipients)
  const batch = composeBatch(message_type, custom_message, recipients, amounts, payLinks)
  if (!message.even_to_many) await requireConfirmationForMany(tx, caller, batch.total_recipients)
  const batch_id = await queueBatch(tx, caller.dojoId, {
    ...batch,
    sender_name: await findInstructorName(tx, caller.id),
    skipped: batch.skipped.filter(({ reason }) => reason !== 'not_in_class'),
  })
  const readers = recipients
    .filter(getsNotice)
    .map(({ id, name }) => ({ id, name, amount: amounts.get(id) }))
  await announce(
    tx,
    caller,
    { ...ANNOUNCEMENT_HEADINGS[message_type], content: custom_message },
    readers,
    recipients.filter(({ reason }) => reason !== 'not_in_class'),
  )
  const { total_recipients, texts, skipped } = batch
  await auditAction(tx, caller, 'texts sent', {
    details: { kind: message_type, students: total_recipients },
  })
  return {
    ...SUCCESS,
    success_count: total_recipients,
    successful_sends: total_recipients,
    total_recipients,
    total_texts: texts.length,
    skipped,
    batch_id,
  }
}

/** Numbers the texts, so that the reply can say which students share a text. */
export async function previewBatch(
  tx: Tx,
  kind: BatchKind,
  template: string,
  recipients: Recipient[],
  amounts = NO_AMOUNTS,
): Promise<Preview> {
  const payLinks = await createSampleLinks(tx, kind, recipients)
  const { texts, total_recipients } = composeBatch(kind, template, recipients, amounts, payLinks)
  const numberedTexts = texts.map((text, number) => ({
    ...text,
    number,
    segments: segmentsOf(text.text).segments,
  }))
  const textsByStudent = Map.groupBy(
    numberedTexts.flatMap((text) => text.students.map(({ id }) => ({ id, text }))),
    ({ id }) => id,
  )
  const students = recipients.map(({ id, name, reason, promised_on = null }) => {
    const textsOfStudent = (textsByStudent.get(id) ?? []).map(({ text }) => text)
    const [text] = textsOfStudent
    return {
      student_id: id,
      name,
      sends: text !== undefined,
      reason,
      text: text?.text ?? null,
      segments: text?.segments ?? 0,
      texts: pluck(textsOfStudent, 'number'),
      amount: amounts.get(id) ?? null,
      ...(promised_on !== null && { promised_on }),
    }
  })
  const { remaining_messages } = await readUsageToday(tx)
  return {
    students,
    total_recipients,
    total_texts: texts.length,
    total_segments: numberedTexts.reduce((sum, { segments }) => sum + segments, 0),
    remaining_messages,
  }
}

export async function previewBulkMessage(
  tx: Tx,
  caller: DojoCaller,
  message: BulkDraft,
): Promise<Preview> {
  const audience = await resolveAudience(tx, caller, message)
  const recipients = await resolveRecipients(tx, audience)
  return previewBatch(
    tx,
    message.message_type,
    message.custom_message ?? '',
    recipients,
    audience.amounts,
  )
}
