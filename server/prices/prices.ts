import { firstDayOf, lastDayOf, type Month, monthOfDate } from '@tatami/contract/month'
import { type PriceInMonth, type SiblingPriceRule, siblingPricesOf } from '@tatami/contract/prices'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { monthIn, todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { dojos } from '../dojos/tables.ts'
import { guardianships } from '../families/tables.ts'
import type { Member } from '../http/serve.ts'
import { students } from '../students/tables.ts'
import { siblingPrices } from './tables.ts'

export async function siblingPriceRuleOf(tx: Tx): Promise<SiblingPriceRule> {
  const rows = await tx.select().from(siblingPrices).orderBy(asc(siblingPrices.nth))
  return {
    ordered_by: rows[0]?.ordered_by ?? 'highest_fee',
    prices: rows.map(({ nth, percent, amount_off }) => ({ nth, percent, amount_off })),
  }
}

/** Replaces the rule. Recorded months keep what they say. */
export async function setSiblingPriceRule(
  tx: Tx,
  caller: Member,
  { ordered_by, prices }: SiblingPriceRule,
): Promise<SiblingPriceRule> {
  // Of two that are saved at once the later replaces the earlier.
  await tx
    .select({ id: dojos.id })
    .from(dojos)
    .where(eq(dojos.id, caller.dojoId))
    .for('no key update')
  await tx.delete(siblingPrices)
  if (prices.length > 0)
    await tx.insert(siblingPrices).values(
      prices.map(({ nth, percent, amount_off }) => ({
        nth,
        percent: percent ?? null,
        amount_off: amount_off ?? null,
        ordered_by,
      })),
    )
  const { id: actor_id, dojoId: dojo_id } = caller
  await audit(tx, {
    actor_id,
    dojo_id,
    action: 'sibling prices set',
    details: { places: prices.length, ordered_by },
  })
  return siblingPriceRuleOf(tx)
}

const orderOf = ({ month, year }: Month) => year * 12 + month

type Vacation = Pick<
  typeof students.$inferSelect,
  'on_vacation' | 'vacation_from' | 'vacation_until'
>

/** Whether somebody is on vacation from the first day of a month to the last. The vacations of earlier releases have no first day. */
export const isAwayAllOf = (
  month: Month,
  { on_vacation, vacation_from, vacation_until }: Vacation,
) =>
  (vacation_from === null ? on_vacation : vacation_from <= firstDayOf(month)) &&
  (vacation_until === null || vacation_until >= lastDayOf(month))

/**
 * Who pays less than their fee in each of these months, because of siblings with the same payer. Who enrolled later does not count, nor does
 * somebody who is on vacation for the whole month: a vacation that begins or ends within one changes the next, so that nobody is asked for
 * more than when the month began. In the months before the current one everybody counts: no past month becomes dearer. `asOf` is a month to count
 * as the current one: that which is just over is charged as it was.
 */
export async function reducedPricesIn(
  tx: Tx,
  dojoId: string,
  months: Month[],
  asOf?: Month,
): Promise<PriceInMonth[][]> {
  const rule = await siblingPriceRuleOf(tx)
  if (rule.prices.length === 0) return months.map(() => [])
  const { time_zone } = await dojoById(tx, dojoId)
  const current = orderOf(asOf ?? monthIn(time_zone))
  const families = Map.groupBy(await paidFor(tx), ({ payer_id }) => payer_id)
  return months.map((month) =>
    [...families.values()].flatMap((family) => {
      const siblings = family
        .map(({ created_at, on_vacation, vacation_from, vacation_until, ...one }) => ({
          ...one,
          enrolled_at: todayIn(time_zone, new Date(created_at)),
          on_vacation:
            orderOf(month) >= current &&
            isAwayAllOf(month, { on_vacation, vacation_from, vacation_until }),
        }))
        .filter(({ enrolled_at }) => orderOf(monthOfDate(enrolled_at)) <= orderOf(month))
      return siblings.length > 1 ? siblingPricesOf(siblings, rule) : []
    }),
  )
}

/** The students for whom a guardian pays. */
const paidFor = (tx: Tx) =>
  tx
    .select({
      payer_id: guardianships.guardian_id,
      id: students.id,
      fee: students.monthly_payment_amount,
      created_at: students.created_at,
      is_trial: students.is_trial,
      on_vacation: students.on_vacation,
      vacation_from: students.vacation_from,
      vacation_until: students.vacation_until,
      is_exempt: students.sibling_exempt,
    })
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(and(eq(guardianships.pays, true), isNull(guardianships.ended_at)))
