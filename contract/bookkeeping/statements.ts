import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { uuid } from '../lib/fields.ts'
import { CHARGE_KINDS, LINE_KINDS, PAYMENT_METHODS } from '../ledger/ledger.ts'
import { yearInQuery } from './receipts.ts'

const ONE_OF_BOTH = 'Name a student or a payer'

const statementQuery = z
  .object({
    year: yearInQuery,
    student_id: uuid('Student').optional(),
    payer_id: uuid('Payer').optional(),
  })
  .refine(
    ({ student_id, payer_id }) => (student_id === undefined) !== (payer_id === undefined),
    ONE_OF_BOTH,
  )
export type StatementQuery = z.output<typeof statementQuery>

const statementLine = z.object({
  date: z.string(),
  student_id: z.uuid(),
  line: z.enum(LINE_KINDS),
  /** What it is for, as in a receipt. */
  kind: z.enum(CHARGE_KINDS).nullable(),
  month: z.number().nullable(),
  year: z.number().nullable(),
  note: z.string().nullable(),
  method: z.enum(PAYMENT_METHODS).nullable(),
  /** More than 0 is owed, less was paid or forgiven. */
  amount: z.number(),
  /** What is owed after it; less than 0 is credit. */
  balance: z.number(),
  /** It takes an earlier line back. */
  takes_back: z.boolean(),
  /** The month in progress, which has not been charged yet. */
  in_progress: z.boolean(),
})
export type StatementLine = z.output<typeof statementLine>

const statement = z.object({
  year: z.number(),
  dojo_name: z.string(),
  /** Whom it is for. */
  name: z.string(),
  students: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** Of a student's own: the guardian who pays, whose statement has the brothers and sisters too. */
  payer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  opening: z.number(),
  lines: z.array(statementLine),
  /** What was paid in each month, less what was given or taken back; months without any are left out. */
  paid: z.array(z.object({ month: z.string(), amount: z.number() })),
  /** `owed` less `credit`. */
  closing: z.number(),
  /** What the students still have to pay. The credit of one pays nothing of another. */
  owed: z.number(),
  credit: z.number(),
})
export type Statement = z.output<typeof statement>

export const statementsApi = {
  show: {
    method: 'GET',
    path: '/statements',
    access: 'instructor',
    summary:
      "A year of a student's account (`student_id`), or of all students for whom a guardian pays now (`payer_id`)",
    query: statementQuery,
    reply: statement,
  },
} as const satisfies Api
