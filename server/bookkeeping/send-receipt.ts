import { utcMidnight } from '@tatami/contract/lib/calendar-day'
import { formatMoneyInText } from '@tatami/contract/lib/money'
import { chargeName, methodName } from '@tatami/contract/ledger/charge-words'
import type { Receipt, SendReceiptForm } from '@tatami/contract/bookkeeping/receipts'
import { taxWords } from '@tatami/contract/ledger/tax-words'
import type { BeltTestLabels } from '@tatami/contract/dojos/belt-test'
import { and, asc, eq, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels } from '../dojos/dojos.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { type DojoCaller, SUCCESS } from '../http/serve.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { Refusal } from '../lib/refusal.ts'
import { readLetterhead } from '../pictures/pictures.ts'
import { students } from '../students/tables.ts'
import { sendTextsAbout } from '../texting/conversations/replies.ts'
import { readReceiptById } from './receipts.ts'
import { receiptLines } from './tables.ts'

const EMAIL_NOT_SET_UP = 'Email is not set up. You can text the receipt or print it.'
const RECEIPT_CANCELED = 'This receipt is canceled, so it cannot be sent.'
const NO_RECIPIENT = 'Nobody on this receipt is in your dojo anymore.'

type SendResult = { reply: { success: true; sent: number }; mail: Email | null }

export async function sendReceipt(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  { by, even_on_vacation }: SendReceiptForm,
  { isConfigured }: Mailer,
): Promise<SendResult> {
  const receipt = await readReceiptById(tx, id)
  if (receipt.cancelled_on !== null) throw new Refusal(409, RECEIPT_CANCELED)
  const ids = [...new Set(receipt.lines.flatMap(({ student_id }) => student_id ?? []))]
  if (ids.length === 0) throw new Refusal(409, NO_RECIPIENT)
  if (by === 'mail' && !isConfigured) throw new Refusal(409, EMAIL_NOT_SET_UP)
  const mail =
    by === 'mail'
      ? {
          ...composeEmail(receipt, await findPayerEmail(tx, receipt), await readBeltTestLabels(tx)),
          letterhead: await readLetterhead(tx),
        }
      : null
  const textMessage = { text: composeText(receipt), topic: 'dues', even_on_vacation } as const
  const sentCount = mail ? 1 : (await sendTextsAbout(tx, caller, ids, textMessage)).total_texts
  await auditAction(tx, caller, 'receipt sent', { details: { number: receipt.number, by } })
  return { reply: { ...SUCCESS, sent: sentCount }, mail }
}

/** Finds the email of the payer on the receipt. A receipt without a payer goes to the current payer
 *  or, if there is none, to the student. */
async function findPayerEmail(tx: Tx, { id, payer_name }: Receipt): Promise<string> {
  const payerId = sql<string | null>`coalesce(
    ${receiptLines.payer_id}, ${guardianships.guardian_id})`
  const rows = await tx
    .select({ payerEmail: guardians.email, studentEmail: students.email, payer: payerId })
    .from(receiptLines)
    .leftJoin(
      guardianships,
      and(
        eq(guardianships.student_id, receiptLines.student_id),
        eq(guardianships.pays, true),
        isActiveLink,
      ),
    )
    .leftJoin(guardians, eq(guardians.id, payerId))
    .leftJoin(students, eq(students.id, receiptLines.student_id))
    .where(eq(receiptLines.receipt_id, id))
    .orderBy(asc(receiptLines.position))
  const address = rows
    .map(({ payer, payerEmail, studentEmail }) => (payer === null ? studentEmail : payerEmail))
    .find((email) => email !== null)
  if (!address) throw new Refusal(409, `${payer_name ?? 'The payer'} has no email address.`)
  return address
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const formatDay = (date: string) => dayFormat.format(utcMidnight(date))

function composeText({ dojo_name, number, total, lines }: Receipt): string {
  const day = lines[0] ? ` on ${formatDay(lines[0].received_on)}` : ''
  return `${dojo_name}: receipt ${number}, ${formatMoneyInText(total)} received${day}. Thank you.`
}

function composeEmailLine(line: Receipt['lines'][number], beltTest: BeltTestLabels): string {
  const subject = [line.student_name, chargeName(line, beltTest)].filter(Boolean).join(', ')
  const payment = [
    formatMoneyInText(line.amount),
    formatDay(line.received_on),
    ...(line.method ? [methodName(line.method).toLowerCase()] : []),
  ]
  const undoneMark = line.taken_back_on ? ' (undone)' : ''
  const tax = taxWords(line, formatMoneyInText)
  const sentences = [`${subject}: ${payment.join(', ')}${undoneMark}`, ...(tax ? [tax] : [])]
  return sentences.join('. ')
}

const composeEmail = (
  { dojo_name, payer_name, number, issued_on, issued_by, total, refunded, lines }: Receipt,
  address: string,
  beltTest: BeltTestLabels,
): Email => ({
  to: address,
  subject: `Receipt ${number} from ${dojo_name}`,
  text: [
    `Receipt ${number}`,
    dojo_name,
    '',
    ...(payer_name ? [`Received from ${payer_name}`] : []),
    ...lines.map((line) => composeEmailLine(line, beltTest)),
    `Total: ${formatMoneyInText(total)}`,
    ...(refunded > 0 ? [`Refunded: ${formatMoneyInText(refunded)}`] : []),
    '',
    `Issued on ${formatDay(issued_on)} by ${issued_by}`,
  ].join('\n'),
})
