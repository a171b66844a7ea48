import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  dollars,
  emptyAsUndefined,
  idParams,
  oneOf,
  singleLineText,
  success,
  uuid,
} from '../lib/fields.ts'
import { hiddenWithout } from '../rights.ts'
import { hoursEntry, shift } from './hours.ts'

/** Pay per hour, or one amount per entry, however long it is. */
export const PAY_UNITS = ['hour', 'class'] as const
export type PayUnit = (typeof PAY_UNITS)[number]

export const MAX_PERIOD_DAYS = 366

const amountOrHidden = () => hiddenWithout('money.see', z.number().nullable(), null)

const payLine = z.object({
  person_id: z.uuid(),
  day: z.string(),
  task: z.string(),
  class_name: z.string().nullable(),
  /** A correction has the difference from an earlier period, which can be negative. */
  minutes: z.number(),
  pay: amountOrHidden(),
  rate: amountOrHidden(),
  unit: hiddenWithout('money.see', z.enum(PAY_UNITS).nullable(), null),
  /** True for a change to hours of an earlier period. */
  is_correction: z.boolean(),
})
export type PayLine = z.output<typeof payLine>

const paidPerson = z.object({
  id: z.uuid(),
  name: z.string(),
  minutes: z.number(),
  pay: amountOrHidden(),
  /** The number of entries that have no rate and are therefore not paid. */
  without_rate: hiddenWithout('money.see', z.number(), 0),
})
export type PaidPerson = z.output<typeof paidPerson>

const period = z.object({
  id: z.uuid(),
  from: z.string(),
  until: z.string(),
  closed_at: z.string(),
  /** Null if that person was deleted. */
  closed_by: z.string().nullable(),
})
export type PayPeriod = z.output<typeof period>

const overview = z.object({
  today: z.string(),
  from: z.string(),
  until: z.string(),
  /** Set if the period is closed. */
  closed_period: period.nullable(),
  /** The first day of the next period. Null before the first closed period. */
  next_from: z.string().nullable(),
  people: z.array(paidPerson),
  /** Approved hours and corrections of the period. */
  lines: z.array(payLine),
  total: z.object({ minutes: z.number(), pay: amountOrHidden() }),
  /** Unapproved hours up to the end of the period. */
  unapproved: z.array(hoursEntry.extend({ person_name: z.string(), may_approve: z.boolean() })),
  /** Shifts without an end. */
  shifts: z.array(shift),
  /** Newest first. */
  periods: z.array(period),
})
export type PayOverview = z.output<typeof overview>
export type UnapprovedHours = PayOverview['unapproved'][number]

const periodDays = {
  from: calendarDate('First day'),
  until: calendarDate('Last day'),
}
const DAYS_OUT_OF_ORDER = {
  error: 'The last day must not be before the first',
  path: ['until'],
}

const overviewQuery = z
  .object({
    /** A closed period. If omitted, the next period is shown. */
    period_id: emptyAsUndefined(uuid('Period')),
    from: emptyAsUndefined(periodDays.from),
    until: emptyAsUndefined(periodDays.until),
  })
  .refine(({ from, until }) => !from || !until || from <= until, DAYS_OUT_OF_ORDER)
export type PayOverviewQuery = z.output<typeof overviewQuery>

export const periodForm = z
  .object(periodDays)
  .refine(({ from, until }) => from <= until, DAYS_OUT_OF_ORDER)
export type PeriodForm = z.output<typeof periodForm>

const rate = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  task: z.string(),
  unit: z.enum(PAY_UNITS),
  amount: z.number(),
  /** The rate applies from this day until the next rate for the same task. */
  from: z.string(),
})
export type PayRate = z.output<typeof rate>

export const rateForm = z.object({
  person_id: uuid('Person'),
  task: singleLineText('Task', 60),
  unit: oneOf('Unit', PAY_UNITS),
  amount: dollars('Amount'),
  from: calendarDate('First day'),
})
export type RateForm = z.output<typeof rateForm>

const PAY_RIGHTS = ['staff', 'money.see'] as const

export const payApi = {
  overview: {
    method: 'GET',
    path: '/pay',
    access: 'instructor',
    right: 'staff',
    summary:
      'Hours and pay of the staff in a period, and hours to approve. Only staff who may see money ' +
      'get amounts',
    query: overviewQuery,
    reply: overview,
  },
  close: {
    method: 'POST',
    path: '/pay/periods',
    access: 'instructor',
    right: PAY_RIGHTS,
    summary:
      'Close a period. Later changes to its hours become corrections in the next one. 409 unless ' +
      'it begins the day after the last closed period',
    body: periodForm,
    reply: z.object({ period }),
  },
  rates: {
    method: 'GET',
    path: '/pay/rates',
    access: 'instructor',
    right: PAY_RIGHTS,
    summary: 'Current and past pay rates of the staff, by task',
    reply: z.object({
      rates: z.array(rate),
      people: z.array(z.object({ id: z.uuid(), name: z.string() })),
    }),
  },
  setRate: {
    method: 'POST',
    path: '/pay/rates',
    access: 'instructor',
    right: PAY_RIGHTS,
    summary:
      'Set a pay rate for a task, starting on a day. Replaces a rate that starts on the same day',
    body: rateForm,
    reply: z.object({ rate }),
  },
  removeRate: {
    method: 'DELETE',
    path: '/pay/rates/:id',
    access: 'instructor',
    right: PAY_RIGHTS,
    summary: 'Delete a rate, so that the previous rate continues',
    params: idParams,
    reply: success,
  },
  download: {
    method: 'POST',
    path: '/pay/export',
    access: 'instructor',
    right: ['export', ...PAY_RIGHTS],
    summary: 'The hours and pay of a period as CSV, one line for each entry and correction',
    file: 'text/csv; charset=utf-8',
    body: overviewQuery,
    reply: z.string(),
  },
} as const satisfies Api
