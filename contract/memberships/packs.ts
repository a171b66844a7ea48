import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  dollars,
  emptyAsUndefined,
  flag,
  idParams,
  singleLineText,
  uuid,
} from '../lib/fields.ts'
import { hiddenAmount } from '../plans/plans.ts'

export const studentPack = z.object({
  id: z.uuid(),
  plan_id: z.uuid(),
  plan_name: z.string(),
  bought_on: z.string(),
  expires_on: z.string().nullable(),
  visits: z.number(),
  visits_left: z.number(),
  price: hiddenAmount,
})
export type StudentPack = z.output<typeof studentPack>

export const newPack = z
  .object({
    plan_id: uuid('Plan'),
    /** Left out, today. */
    bought_on: clearable(calendarDate('Day')),
    price_override: dollars('Price').nullish(),
    override_reason: clearable(singleLineText('Reason', 200)),
    /** Sells it although its last day is over, for example to record an earlier sale. */
    is_expired: emptyAsUndefined(flag('Expired')),
  })
  .refine(
    ({ price_override, override_reason }) =>
      typeof price_override !== 'number' || Boolean(override_reason),
    { error: 'Say why the price differs', path: ['override_reason'] },
  )
export type NewPack = z.output<typeof newPack>

export const packsApi = {
  sell: {
    method: 'POST',
    path: '/students/:id/packs',
    access: 'instructor',
    right: ['students.edit', 'money.take'],
    summary:
      'Sell a class pack to a student, and charge it. 422 if it has expired, unless `is_expired`. ' +
      'Without an Idempotency-Key, 409 if the same pack was sold for the same day already',
    params: idParams,
    idempotent: true,
    body: newPack,
    reply: z.object({ pack: studentPack, act_id: z.uuid().nullable() }),
  },
} as const satisfies Api
