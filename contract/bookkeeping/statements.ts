import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { uuid } from '../lib/fields.ts'
import { CHARGE_KINDS, containedTax, LINE_KINDS, PAYMENT_METHODS } from '../ledger/ledger.ts'
import { yearInQuery } from './receipts.ts'

const STUDENT_OR_PAYER = 'Choose either a student or a payer'

const statementQuery = z
  .object({
    year: yearInQuery,
    student_id: uuid('Student').optional(),
    payer_id: uuid('Payer').optional(),
  })
  .refine(
    ({ student_id, payer_id }) => (student_id === undefined) !== (payer_id === undefined),
    STUDENT_OR_PAYER,
  )
export type StatementQuery = z.output<typeof statementQuery>

const statementLine = z.object({
  date: z.string(),
  student_id: z.uuid(),
  line: z.enum(LINE_KINDS),
  kind: z.enum(CHARGE_KINDS).nullable(),
  month: z.number().nullable(),
  year: z.number().nullable(),
  note: z.string().nullable(),
  method: z.enum(PAYMENT_METHODS).nullable(),
  amount: z.number(),
  balance: z.number(),
  /** True if the line undoes another line. */
  takes_back: z.boolean(),
  /** True for the current month, which has not been charged yet. */
  in_progress: z.boolean(),
  ...containedTax,
})
export type StatementLine = z.output<typeof statementLine>

const statement = z.object({
  year: z.number(),
  dojo_name: z.string(),
  name: z.string(),
  students: z.array(z.object({ id: z.uuid(), name: z.string() })),
  payer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** The balance at the start of the year. */
  opening: z.number(),
  lines: z.array(statementLine),
  /** Payments minus refunds, by month. Months without any are omitted. */
  paid: z.array(z.object({ month: z.string(), amount: z.number() })),
  closing: z.number(),
  /** A student's credit does not reduce what another student owes. */
  owed: z.number(),
  credit: z.number(),
  /** What banks are bringing for what is owed, which takes up to four business days. */
  on_its_way: z.number(),
})
export type Statement = z.output<typeof statement>

export const statementsApi = {
  show: {
    method: 'GET',
    path: '/statements',
    access: 'instructor',
    right: 'money.see',
    summary: "A year of a student's account, or of the accounts of all students with one payer",
    query: statementQuery,
    reply: statement,
  },
} as const satisfies Api
