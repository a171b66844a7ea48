import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  dollars,
  emptyAsUndefined,
  flag,
  idParams,
  oneOf,
  singleLineText,
  success,
  uuid,
} from '../lib/fields.ts'
import { HOLD_BILLINGS, hiddenAmount } from '../plans/plans.ts'
import { actPreview } from './act-preview.ts'

export const HOLD_BILLING_CHOICES = [...HOLD_BILLINGS, 'fee'] as const
export type HoldBilling = (typeof HOLD_BILLING_CHOICES)[number]
/** The kind of holds that the vacation of a student is. */
export const VACATION = 'vacation'

export const hold = z.object({
  id: z.uuid(),
  /** Null for all of the student's plans. */
  subscription_id: z.uuid().nullable(),
  starts_on: z.string(),
  ends_on: z.string().nullable(),
  kind: z.string(),
  billing: z.enum(HOLD_BILLING_CHOICES),
  fee: hiddenAmount,
  moves_end: z.boolean(),
  ends_on_return: z.boolean(),
  /** The day on which the student came to class, which ended the hold. It can be taken back. */
  returned_on: z.string().nullable(),
})
export type Hold = z.output<typeof hold>

export const newHold = z
  .object({
    subscription_id: clearable(uuid('Subscription')),
    starts_on: calendarDate('First day'),
    ends_on: clearable(calendarDate('Last day')),
    kind: singleLineText('Kind', 40),
    /** Left out, as the plan says. */
    billing: emptyAsUndefined(oneOf('Billing', HOLD_BILLING_CHOICES)),
    fee: dollars('Fee').nullish(),
    moves_end: emptyAsUndefined(flag('Moves the end')),
    ends_on_return: emptyAsUndefined(flag('Ends on return')),
  })
  .refine(({ starts_on, ends_on }) => !ends_on || starts_on <= ends_on, {
    error: 'The hold must not end before it starts',
    path: ['ends_on'],
  })
export type NewHold = z.output<typeof newHold>

/** `changes_vacation`: other days of the vacation of now or next, instead of a new hold. */
const holdPreviewForm = newHold.safeExtend({
  changes_vacation: emptyAsUndefined(flag('Changes the vacation')),
})
export type HoldPreviewForm = z.output<typeof holdPreviewForm>

const holdReply = actPreview.extend({ hold_id: z.uuid() })

export const holdsApi = {
  preview: {
    method: 'POST',
    path: '/students/:id/holds/preview',
    access: 'instructor',
    right: ['students.edit', 'money.take'],
    summary: 'What a student would pay during a hold, and when the plan would end',
    readOnly: true,
    params: idParams,
    body: holdPreviewForm,
    reply: actPreview,
  },
  create: {
    method: 'POST',
    path: '/students/:id/holds',
    access: 'instructor',
    right: ['students.edit', 'money.take'],
    summary: "Hold one or all of a student's plans. Without a last day, the hold is open-ended",
    params: idParams,
    idempotent: true,
    body: newHold,
    reply: holdReply,
  },
  end: {
    method: 'POST',
    path: '/holds/:id/end',
    access: 'instructor',
    right: ['students.edit', 'money.take'],
    summary: 'End a hold, by default yesterday, so that the student is back today',
    params: idParams,
    body: z.object({ ends_on: clearable(calendarDate('Last day')) }),
    reply: holdReply,
  },
  reopen: {
    method: 'POST',
    path: '/holds/:id/reopen',
    access: 'instructor',
    right: ['students.edit', 'money.take'],
    summary: 'Take back that an instructor, or a student who came to class, ended the hold',
    params: idParams,
    reply: holdReply,
  },
  remove: {
    method: 'DELETE',
    path: '/holds/:id',
    access: 'instructor',
    right: ['students.edit', 'money.take'],
    summary: 'Delete a hold that was a mistake',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
