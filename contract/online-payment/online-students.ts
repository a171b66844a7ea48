import { z } from 'zod'
import { optionalMonthQuery } from '../ledger/payment-records.ts'
import type { Api } from '../lib/endpoint.ts'
import { METHOD_KINDS } from './saved-methods.ts'

/**
 * What comes next after a payment did not work. `retry`: autopay tries again by itself.
 * `new_method`: the payer has to enter another card. `confirm`: the bank wants to ask the payer.
 * `raise_limit`: the payer owes more than they allow. `ask_payer`: nothing happens by itself
 * anymore. `check_account`: Stripe refuses the payment because of how the account is set up.
 */
export const NEXT_STEPS = [
  'retry',
  'new_method',
  'confirm',
  'raise_limit',
  'ask_payer',
  'check_account',
] as const
export type NextStep = (typeof NEXT_STEPS)[number]

const paymentProblem = z.object({
  /** What the payer tried to pay with. */
  kind: z.enum(METHOD_KINDS),
  /** Why the bank declined, in words for the school. Null if no bank was asked. */
  reason: z.string().nullable(),
  next_step: z.enum(NEXT_STEPS),
  /** The day on which autopay tries again. Null if it does not. */
  retry_on: z.string().nullable(),
})
export type PaymentProblem = z.output<typeof paymentProblem>

const onlineStudent = z.object({
  student_id: z.uuid(),
  /** Null if nobody pays for the student by autopay. */
  autopay: z.object({ next_on: z.string() }).nullable(),
  /** What a bank is bringing, which takes up to four business days. */
  on_its_way: z.number(),
  /** The school has turned off online payment, so only Stripe knows how that payment ends. */
  is_turned_off: z.boolean(),
  /** Why the payer's last payment did not work. Null if nothing is owed anymore. */
  problem: paymentProblem.nullable(),
  /** The day on which the payer last got a pay link in a text or an email. */
  link_sent_on: z.string().nullable(),
})
export type OnlineStudent = z.output<typeof onlineStudent>

export const onlineStudentsApi = {
  list: {
    method: 'GET',
    path: '/online-payment/students',
    access: 'instructor',
    right: 'money.see',
    summary: 'How students are paid for online. Without those of whom there is nothing to say',
    reply: z.array(onlineStudent),
  },
  onTheirWay: {
    method: 'GET',
    path: '/online-payment/on-their-way',
    access: 'instructor',
    right: 'money.take',
    summary:
      'The students for whom a bank is bringing money, so that staff who may not see what is ' +
      'owed do not take it a second time',
    reply: z.array(z.object({ student_id: z.uuid() })),
  },
  paidMonth: {
    method: 'GET',
    path: '/online-payment/paid-months',
    access: 'instructor',
    right: 'money.take',
    summary:
      'What was paid online for a month, by student, by default the current month. Marking it ' +
      'unpaid refunds nothing',
    query: optionalMonthQuery,
    reply: z.array(z.object({ student_id: z.uuid(), amount: z.number() })),
  },
} as const satisfies Api
