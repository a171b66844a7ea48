import { z } from 'zod'
import { enteredPassword } from '../accounts/accounts.ts'
import type { Api } from '../lib/endpoint.ts'
import { emptyAsUndefined, singleLineText, uuid } from '../lib/fields.ts'

/** `unchecked`: Stripe did not respond to the last call. `wrong_key`: Stripe refuses the key. */
export const STRIPE_ACCOUNT_STATES = ['unchecked', 'ready', 'wrong_key'] as const
export type StripeAccountState = (typeof STRIPE_ACCOUNT_STATES)[number]

/** What the school's key must be allowed to do, in Stripe's words. */
export const STRIPE_PERMISSIONS = [
  'Customers',
  'Checkout Sessions',
  'Payment Intents',
  'Charges and Refunds',
  'Disputes',
  'Events',
] as const
export type StripePermission = (typeof STRIPE_PERMISSIONS)[number]

const SECRET_KEY = /^(sk|rk)_(test|live)_\w{10,200}$/
const secretKey = singleLineText('Secret key', 250)
  .refine((key) => !key.startsWith('pk_'), {
    error: 'This is a publishable key. A restricted key starts with rk_',
    abort: true,
  })
  .regex(SECRET_KEY, 'A restricted key starts with rk_live_ or rk_test_')

/** Whether payments with this key move real money. */
export const isLiveKey = (key: string): boolean => key.includes('_live_')

/** Needed unless the caller has just signed in. */
const confirmation = { current_password: emptyAsUndefined(enteredPassword) }

export const stripeAccountForm = z.object({ secret_key: secretKey, ...confirmation })
export type StripeAccountForm = z.output<typeof stripeAccountForm>

const stripeAccount = z.object({
  /** The end of the key, such as "rk_live_…4242". The key itself never leaves the server. */
  key_ending: z.string(),
  is_live: z.boolean(),
  /** True for a key that may do everything. Stripe recommends a restricted one. */
  is_unrestricted: z.boolean(),
  /** The school tries out online payment without an account at Stripe, and families see nothing. */
  is_simulated: z.boolean(),
  state: z.enum(STRIPE_ACCOUNT_STATES),
  error: z.string().nullable(),
  missing_permissions: z.array(z.enum(STRIPE_PERMISSIONS)),
  /** False if Stripe cannot reach this server, which then asks Stripe every minute. */
  has_webhook: z.boolean(),
  checked_at: z.string().nullable(),
  changed_at: z.string(),
  changed_by: z.string(),
})
export type StripeAccount = z.output<typeof stripeAccount>

const onlinePaymentSetup = z.object({
  account: stripeAccount.nullable(),
  /** False if the server has no SECRETS_KEY, without which it stores no keys. */
  can_store_keys: z.boolean(),
  /** After a restore, nothing is charged until an owner confirms that this is the real server. */
  awaits_confirmation: z.boolean(),
  /** What banks are bringing right now, in dollars. */
  on_its_way: z.number(),
  /** How many payers have autopay. */
  autopay_payers: z.number(),
})
export type OnlinePaymentSetup = z.output<typeof onlinePaymentSetup>

/**
 * How a payment is going. `open`: the payer has not paid yet. `processing`: a bank debit is on its
 * way, which takes up to four business days. `unknown`: Stripe has not answered whether it took
 * the money.
 */
export const ONLINE_PAYMENT_STATES = [
  'open',
  'processing',
  'unknown',
  'paid',
  'declined',
  'expired',
] as const
export type OnlinePaymentState = (typeof ONLINE_PAYMENT_STATES)[number]

/**
 * Why a person should look at a payment. `mismatch`: Stripe says something else than we asked for.
 * `outside_refund`: somebody refunded it in Stripe's dashboard.
 */
export const REVIEW_REASONS = [
  'paid_twice',
  'mismatch',
  'refund_failed',
  'outside_refund',
  'dispute_open',
  'dispute_lost',
] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

const onlinePayment = z.object({
  id: z.uuid(),
  state: z.enum(ONLINE_PAYMENT_STATES),
  amount: z.number(),
  payer_name: z.string().nullable(),
  /** No real money moved, so nothing is paid. */
  is_test: z.boolean(),
  student_ids: z.array(z.uuid()),
  /** What it was for: "Leo: April 2026". */
  line_names: z.array(z.string()),
  /** Given back by refunds that have not failed. */
  refunded: z.number(),
  review_reason: z.enum(REVIEW_REASONS).nullable(),
  /** Why the last attempt was declined, in words for the school. */
  decline_reason: z.string().nullable(),
  /** What was paid although it had been paid otherwise in the meantime, as credit now. */
  paid_twice: z.number(),
  created_at: z.string(),
  paid_at: z.string().nullable(),
})
export type OnlinePayment = z.output<typeof onlinePayment>

export const PAY_PATH = '/pay'

export const onlinePaymentApi = {
  setUp: {
    method: 'GET',
    path: '/online-payment',
    access: 'instructor',
    right: 'settings',
    summary: 'How online payment is set up, without the secret key',
    reply: onlinePaymentSetup,
  },
  saveAccount: {
    method: 'PUT',
    path: '/online-payment/account',
    access: 'instructor',
    right: 'settings',
    summary:
      "Let families pay online into the school's own Stripe account, after checking the key with " +
      'Stripe. Requires the password, except just after a sign-in',
    throttle: 'sign-in',
    body: stripeAccountForm,
    reply: onlinePaymentSetup,
  },
  simulate: {
    method: 'POST',
    path: '/online-payment/simulation',
    access: 'instructor',
    right: 'settings',
    summary:
      'Try out pay links without an account at Stripe. No money moves, nothing is paid, and ' +
      'families see nothing of it. 409 if the school has a key',
    reply: onlinePaymentSetup,
  },
  removeAccount: {
    method: 'POST',
    path: '/online-payment/account/remove',
    access: 'instructor',
    right: 'settings',
    summary:
      'End online payment and delete the key. Payments that were made stay. Requires the ' +
      'password, except just after a sign-in',
    throttle: 'sign-in',
    body: z.object(confirmation),
    reply: onlinePaymentSetup,
  },
  confirmServer: {
    method: 'POST',
    path: '/online-payment/confirmation',
    access: 'instructor',
    right: 'settings',
    summary:
      'Let this server take payments after its database was restored or copied. Until then, it ' +
      'charges nobody. Requires the password, except just after a sign-in',
    throttle: 'sign-in',
    body: z.object(confirmation),
    reply: onlinePaymentSetup,
  },
  status: {
    method: 'GET',
    path: '/online-payment/status',
    access: 'instructor',
    right: 'any',
    summary: 'Whether families can pay online, have paid, or the school only tries it out',
    reply: z.object({
      is_on: z.boolean(),
      is_simulated: z.boolean(),
      /** With a test key or the simulator. Texts and statements have no links then. */
      is_test: z.boolean(),
      has_payments: z.boolean(),
    }),
  },
  createPayLink: {
    method: 'POST',
    path: '/pay-links',
    access: 'instructor',
    right: 'money.take',
    summary:
      'A link on which somebody can pay what is owed for a student, and for all students with ' +
      'the same payer. It shows what is owed when it is opened',
    body: z.object({ student_id: uuid('Student') }),
    reply: z.object({ link: z.string(), qr: z.string() }),
  },
  list: {
    method: 'GET',
    path: '/online-payments',
    access: 'instructor',
    right: 'money.see',
    summary:
      'The online payments of the last 60 days, newest first, after those that a person should ' +
      'look at',
    reply: z.array(onlinePayment),
  },
} as const satisfies Api
