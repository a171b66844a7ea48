import { z } from 'zod'
import { positiveDollars } from '../ledger/ledger.ts'
import type { Api } from '../lib/endpoint.ts'
import { clearable, flag, idParams, multiLineText, singleLineText, uuid } from '../lib/fields.ts'
import { hiddenWithout } from '../rights.ts'
import { DEBIT_STATES } from './autopay-states.ts'
import { METHOD_KINDS } from './saved-methods.ts'

const savedMethod = z.object({
  kind: z.enum(METHOD_KINDS),
  /** "visa", or the name of the bank. */
  brand: z.string().nullable(),
  last4: z.string(),
  /** The last month in which a card can be used. Null for a bank account. */
  expires: z.object({ month: z.number(), year: z.number() }).nullable(),
  /** True from 30 days before the card expires. */
  expires_soon: z.boolean(),
})
export type SavedMethod = z.output<typeof savedMethod>

const autopay = z.object({
  day_of_month: z.number(),
  limit: z.number().nullable(),
  agreed_at: z.string(),
  /** The next debit. Null if nothing is owed then, as far as we know. */
  next: z
    .object({
      on: z.string(),
      /** What will be charged: 0 above the payer's limit. */
      amount: z.number(),
      owed: z.number(),
      /** More is owed than the payer allows, so nothing will be charged. */
      is_over_limit: z.boolean(),
    })
    .nullable(),
  /** What is owed, too, but was paid once, so that autopay asks before it charges it. */
  left_out: z.array(z.object({ name: z.string(), amount: z.number() })),
  /** How the last debit ended, if it was not paid yet. */
  trouble: z.enum(DEBIT_STATES).nullable(),
})
export type Autopay = z.output<typeof autopay>

const expectedFee = z.object({
  amount: z.number(),
  /** From what the school has paid to Stripe. Otherwise, it is Stripe's list price. */
  is_measured: z.boolean(),
})
export type ExpectedFee = z.output<typeof expectedFee>

const payerHome = z.object({
  /** No real money moves. */
  is_test: z.boolean(),
  owed: z.number(),
  lines: z.array(z.object({ name: z.string(), amount: z.number() })),
  /** What a bank debit is bringing, which takes up to four business days. */
  on_its_way: z.number(),
  /** What is owed besides for the same charges, which can be paid after that money has arrived. */
  waiting: z.number(),
  method: savedMethod.nullable(),
  autopay: autopay.nullable(),
  /** The payer has agreed, and Stripe has not confirmed the card yet. */
  is_setting_up: z.boolean(),
  /** What the words of an agreement are made of. */
  terms: z.object({
    school: z.string(),
    students: z.array(z.string()),
    usual_amount: z.number(),
  }),
  /** What a month costs the school in fees. */
  fees: z.object({ card: expectedFee, bank: expectedFee }),
  /** The latest payments, newest first. */
  payments: z.array(
    z.object({ id: z.uuid(), paid_on: z.string(), amount: z.number(), refunded: z.number() }),
  ),
})
export type PayerHome = z.output<typeof payerHome>

const DAY_OF_MONTH = 'The day must be from 1 to 31'

export const autopayForm = z.object({
  day_of_month: z.number(DAY_OF_MONTH).int(DAY_OF_MONTH).min(1, DAY_OF_MONTH).max(31, DAY_OF_MONTH),
  limit: clearable(positiveDollars('Limit')),
  is_agreed: z.literal(true, 'Please agree first'),
  /** As the payer read them. Refused if they differ from what the server would say now. */
  words: multiLineText('Words', 4000),
  /** Also pay what is owed now, if the page showed this amount. Left out to save a card only. */
  pays_amount: positiveDollars('Amount').optional(),
})
export type AutopayForm = z.output<typeof autopayForm>

/** What staff say when they turn off autopay for a payer. */
export const autopayStop = z.object({ reason: singleLineText('Reason', 200) })

/** Where the payer goes next. Null if nothing is left to do. */
const nextStep = z.object({ url: z.string().nullable() })

const studentAutopay = z.object({
  payer_name: z.string(),
  method: savedMethod.nullable(),
  autopay: z
    .object({
      /** The next day on which autopay pays, if something is owed then. */
      next_on: z.string(),
      /** What will be charged. Null if nothing is owed then, as far as we know. */
      next_amount: hiddenWithout('money.see', z.number().nullable(), null),
      /** More is owed than the payer allows, so nothing will be charged. */
      is_over_limit: z.boolean(),
      /** Charges of this student that autopay leaves out until somebody allows them. */
      left_out: z.array(
        z.object({
          charge_id: z.uuid(),
          name: z.string(),
          amount: hiddenWithout('money.see', z.number().nullable(), null),
        }),
      ),
    })
    .nullable(),
})
export type StudentAutopay = z.output<typeof studentAutopay>

export const payerHomeApi = {
  home: {
    method: 'GET',
    path: '/payer/home',
    access: 'member',
    right: 'own',
    summary:
      'What the caller owes and how they pay. Null if they pay for nobody, and if the school ' +
      'takes no online payments',
    reply: z.object({ home: payerHome.nullable() }),
  },
  pay: {
    method: 'POST',
    path: '/payer/pay',
    access: 'member',
    right: 'own',
    summary:
      'Begin to pay what the caller owes, or only what autopay leaves out, on a page of Stripe. ' +
      '409 if the amount has changed since the caller saw it',
    body: z.object({
      amount: positiveDollars('Amount'),
      /** True to pay only what autopay leaves out. */
      is_left_out: flag('This').optional(),
    }),
    reply: nextStep,
  },
  agree: {
    method: 'POST',
    path: '/payer/autopay',
    access: 'member',
    right: 'own',
    summary:
      'Turn on autopay, or change its day or limit. Without a saved card, this begins to save ' +
      'one on a page of Stripe, and autopay starts when that is done',
    body: autopayForm,
    reply: nextStep,
  },
  changeMethod: {
    method: 'POST',
    path: '/payer/method',
    access: 'member',
    right: 'own',
    summary: 'Begin to replace the saved card or bank account, on a page of Stripe',
    reply: nextStep,
  },
  stop: {
    method: 'POST',
    path: '/payer/autopay/stop',
    access: 'member',
    right: 'own',
    summary: 'Turn off autopay at once, and forget the saved card',
    reply: z.object({ on_its_way: z.number() }),
  },
  ofStudent: {
    method: 'GET',
    path: '/students/:id/autopay',
    access: 'instructor',
    right: 'money.take',
    summary:
      "How a student's payer pays. Null without online payment and without autopay. Staff who " +
      'may not see who owes money get no amount',
    params: idParams,
    reply: z.object({ payer: studentAutopay.nullable() }),
  },
  allowCharge: {
    method: 'POST',
    path: '/students/:id/autopay/permissions',
    access: 'instructor',
    right: 'money.take',
    summary: 'Let autopay take a charge that it leaves out, because its payment was undone',
    params: idParams,
    body: z.object({ charge_id: uuid('Charge') }),
    reply: z.object({ payer: studentAutopay.nullable() }),
  },
  stopForPayer: {
    method: 'POST',
    path: '/students/:id/autopay/stop',
    access: 'instructor',
    right: 'money.take',
    summary: "Turn off autopay for a student's payer, who is told by mail",
    params: idParams,
    body: autopayStop,
    reply: z.object({ on_its_way: z.number() }),
  },
} as const satisfies Api
