import { z } from 'zod'
import { evenOnVacation } from '../texting/conversations.ts'
import type { Api } from '../lib/endpoint.ts'
import { idParams, MAX_YEAR, MIN_YEAR, oneOf, pageQuery, success, uuid } from '../lib/fields.ts'
import { CHARGE_KINDS, containedTax, PAYMENT_METHODS } from '../ledger/ledger.ts'

const INVALID_YEAR = `Year must be between ${MIN_YEAR} and ${MAX_YEAR}`
export const yearInQuery = z.coerce
  .number({ error: INVALID_YEAR })
  .int(INVALID_YEAR)
  .min(MIN_YEAR, INVALID_YEAR)
  .max(MAX_YEAR, INVALID_YEAR)

/** The names of deleted students and payers are null. The amounts do not change. */
const receiptLine = z.object({
  student_id: z.uuid().nullable(),
  student_name: z.string().nullable(),
  /** Null for credit: money paid beyond all charges. */
  kind: z.enum(CHARGE_KINDS).nullable(),
  month: z.number().nullable(),
  year: z.number().nullable(),
  note: z.string().nullable(),
  amount: z.number(),
  method: z.enum(PAYMENT_METHODS).nullable(),
  received_on: z.string(),
  /** The day when the payment was undone. */
  taken_back_on: z.string().nullable(),
  ...containedTax,
})
export type ReceiptLine = z.output<typeof receiptLine>

const receipt = z.object({
  id: z.uuid(),
  act_id: z.uuid(),
  /** "2026-0001" */
  number: z.string(),
  issued_on: z.string(),
  issued_by: z.string(),
  dojo_name: z.string(),
  payer_name: z.string().nullable(),
  total: z.number(),
  /** What was refunded of an online payment, also later, in dollars. */
  refunded: z.number(),
  /** The day when the last of its payments was undone. */
  cancelled_on: z.string().nullable(),
  lines: z.array(receiptLine),
})
export type Receipt = z.output<typeof receipt>

const newReceipt = z.object({ act_id: uuid('Act'), student_id: uuid('Student').optional() })
export type NewReceipt = z.output<typeof newReceipt>

/** What a family paid in one act. Without a receipt, opening it issues one. */
const familyPayment = z.object({
  act_id: z.uuid(),
  /** Tells apart families who paid in one act. Null for a payment with a receipt. */
  student_id: z.uuid().nullable(),
  receipt: z.object({ id: z.uuid(), number: z.string() }).nullable(),
  received_on: z.string(),
  total: z.number(),
  cancelled_on: z.string().nullable(),
  lines: z.array(receiptLine.pick({ student_name: true, kind: true, month: true, year: true })),
})
export type FamilyPayment = z.output<typeof familyPayment>

const receiptsQuery = pageQuery.extend({ year: yearInQuery.optional() })
export type ReceiptsQuery = z.output<typeof receiptsQuery>

const SENDING_WAYS = ['text', 'mail'] as const
export type SendingWay = (typeof SENDING_WAYS)[number]
const sendReceiptForm = z.object({ by: oneOf('Way', SENDING_WAYS), ...evenOnVacation })
export type SendReceiptForm = z.output<typeof sendReceiptForm>

export const receiptsApi = {
  issue: {
    method: 'POST',
    path: '/receipts',
    access: 'member',
    right: 'money.take',
    summary:
      'Get the receipt of a payment; the first call issues it. 409 if no money was received, the ' +
      'payment was undone, or several families paid and none is chosen. Guardians get only ' +
      'receipts for students whose fees they may see',
    body: newReceipt,
    reply: receipt,
  },
  list: {
    method: 'GET',
    path: '/receipts',
    access: 'instructor',
    right: 'money.take',
    summary: 'The receipts of a year, or of all years, newest first',
    query: receiptsQuery,
    reply: z.array(receipt),
  },
  payments: {
    method: 'GET',
    path: '/family/payments',
    access: 'member',
    right: 'own',
    summary:
      'All payments of a year for students whose fees the guardian may see, with their receipts, ' +
      'newest first',
    query: z.object({ year: yearInQuery }),
    reply: z.array(familyPayment),
  },
  show: {
    method: 'GET',
    path: '/receipts/:id',
    access: 'member',
    right: 'money.take',
    summary: 'A receipt as issued, and whether its payment was undone',
    params: idParams,
    reply: receipt,
  },
  send: {
    method: 'POST',
    path: '/receipts/:id/send',
    access: 'instructor',
    right: 'money.take',
    summary: 'Text or email a receipt to the payer. 409 if it is canceled or cannot be sent',
    idempotent: true,
    params: idParams,
    body: sendReceiptForm,
    reply: success.extend({ sent: z.number() }),
  },
} as const satisfies Api
