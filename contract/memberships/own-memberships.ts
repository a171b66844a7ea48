import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { clearable, idParams, singleLineText } from '../lib/fields.ts'
import { actPreview } from './act-preview.ts'
import { SUBSCRIPTION_STATES } from './memberships.ts'

const ownSubscription = z.object({
  id: z.uuid(),
  plan_name: z.string(),
  is_add_on: z.boolean(),
  starts_on: z.string(),
  ends_on: z.string().nullable(),
  state: z.enum(SUBSCRIPTION_STATES),
  /** The plan's price in words, such as "$96 a month". Null for whoever may not see fees. */
  price: z.string().nullable(),
  next_charge: z.object({ due_on: z.string(), amount: z.number() }).nullable(),
  /** Whether the caller pays, and so may end the plan or take its end back. */
  may_end: z.boolean(),
  may_keep: z.boolean(),
})
export type OwnSubscription = z.output<typeof ownSubscription>

const ownMembership = z.object({
  student_id: z.uuid(),
  name: z.string(),
  subscriptions: z.array(ownSubscription),
  /** The last day of a hold that is on, or null. */
  hold: z.object({ kind: z.string(), ends_on: z.string().nullable() }).nullable(),
  packs: z.array(
    z.object({
      id: z.uuid(),
      plan_name: z.string(),
      visits_left: z.number(),
      expires_on: z.string().nullable(),
    }),
  ),
})
export type OwnMembership = z.output<typeof ownMembership>

export const ownEnd = z.object({ reason: clearable(singleLineText('Reason', 200)) })
export type OwnEnd = z.output<typeof ownEnd>

/** `may_keep` says whether the caller can take the end back. */
const ownEndPreview = actPreview.extend({ may_keep: z.boolean() })
export type OwnEndPreview = z.output<typeof ownEndPreview>

export const ownMembershipsApi = {
  list: {
    method: 'GET',
    path: '/my/memberships',
    access: 'member',
    right: 'own',
    summary: 'The plans of the caller, or of the children whose guardian the caller is',
    reply: z.array(ownMembership),
  },
  previewEnd: {
    method: 'POST',
    path: '/my/subscriptions/:id/end/preview',
    access: 'member',
    right: 'own',
    summary: 'The last day and the last sum if the caller ended the plan',
    readOnly: true,
    params: idParams,
    body: ownEnd,
    reply: ownEndPreview,
  },
  end: {
    method: 'POST',
    path: '/my/subscriptions/:id/end',
    access: 'member',
    right: 'own',
    summary: 'End a plan. Only for the payer, or for an adult without one',
    params: idParams,
    body: ownEnd,
    reply: ownEndPreview,
  },
  keep: {
    method: 'POST',
    path: '/my/subscriptions/:id/keep',
    access: 'member',
    right: 'own',
    summary: 'Take back the end of a plan, until its last day',
    params: idParams,
    reply: actPreview,
  },
} as const satisfies Api
