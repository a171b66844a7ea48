import { addMonths, dayFrom, daysInMonth, type Month } from '@tatami/contract/lib/calendar-day'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

/** Families with plans, fees and months on hold pay what plain arithmetic says. */

const server = await startTestServer()
const FAMILIES = Number(process.env.YEARS ?? (process.env.LONG ? 60 : 3))
const SHORT_RUN_SEED = 42
const seed = process.env.LONG ? null : SHORT_RUN_SEED
const APRIL: Month = { year: 2027, month: 3 }
const MONTHS_CHARGED = 4
/** What the first, the second and further children get off. */
const PERCENTS_OFF = [0, 10, 25]

type Child = {
  /** Dollars a month, before the plan. */
  fee: number
  plan: { price: number; startMonth: number; startDate: number } | null
  /** The number of the month that the child is away for, from the 1st to the last day. */
  awayMonth: number | null
}

const monthNumber = fc.integer({ min: 0, max: MONTHS_CHARGED - 1 })
const child: fc.Arbitrary<Child> = fc.record({
  fee: fc.integer({ min: 40, max: 120 }),
  plan: fc.option(
    fc.record({
      price: fc.integer({ min: 40, max: 160 }),
      startMonth: monthNumber,
      startDate: fc.integer({ min: 1, max: 30 }),
    }),
  ),
  awayMonth: fc.option(monthNumber),
})

const monthOf = (number: number): Month => addMonths(APRIL, number)

/** What decides the order of a family: the price on the 1st of the month, in cents. */
const usualCents = ({ fee, plan }: Child, number: number): number => {
  const hasBegun =
    plan !== null &&
    (plan.startMonth < number || (plan.startMonth === number && plan.startDate === 1))
  return 100 * (hasBegun ? plan.price : fee)
}

/** Before the family's discount, in cents. */
function listCents(member: Child, number: number): number {
  const { fee, plan } = member
  if (!plan || plan.startMonth !== number || plan.startDate === 1) return usualCents(member, number)
  const days = daysInMonth(monthOf(number))
  const daysBefore = plan.startDate - 1
  return (
    Math.floor((100 * fee * daysBefore) / days + 0.5) +
    Math.floor((100 * plan.price * (days - daysBefore)) / days + 0.5)
  )
}

/** Whoever is away for the month pays nothing, and the others move up. */
function expectedDollars(children: readonly Child[], number: number): number[] {
  const rankedChildren = children
    .filter(({ awayMonth }) => awayMonth !== number)
    .toSorted((a, b) => usualCents(b, number) - usualCents(a, number))
  return children.map((member) => {
    const rank = rankedChildren.indexOf(member)
    if (rank === -1) return 0
    const percentOff = PERCENTS_OFF[Math.min(rank, PERCENTS_OFF.length - 1)] ?? 0
    return Math.floor((listCents(member, number) * (100 - percentOff)) / 100 + 0.5) / 100
  })
}

async function createFamily(children: readonly Child[]) {
  const dojo = await createPlanDojo(
    server,
    ...children.map(({ fee }) => ({ monthly_payment_amount: fee })),
  )
  const { sensei, students, put, post, id, addPlan, start } = dojo
  const prices = PERCENTS_OFF.slice(1).map((percent, index) => ({ nth: index + 2, percent }))
  await put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  await server.createGuardian(sensei, students, {
    students: students.map((student) => ({ student_id: student.id, pays: true })),
  })
  for (const [index, { plan, awayMonth }] of children.entries()) {
    if (plan) {
      const planId = await addPlan({ price: plan.price, hold_billing: 'free' })
      const reply = await start(
        planId,
        dayFrom(monthOf(plan.startMonth), plan.startDate),
        {},
        index,
      )
      expect(reply.status).toBe(200)
    }
    if (awayMonth === null) continue
    const month = monthOf(awayMonth)
    const reply = await put(`/students/${id(index)}/vacation`, {
      vacation_from: dayFrom(month, 1),
      vacation_until: dayFrom(month, daysInMonth(month)),
    })
    expect(reply.status).toBe(200)
  }
  return { ...dojo, post }
}

test('random families with plans pay what plain arithmetic says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(child, { minLength: 2, maxLength: 4 }), async (children) => {
      const { moveClockTo, account } = await createFamily(children)
      // The schedule runs on the 1st of each month, as on a server that is never off.
      for (let number = 0; number <= MONTHS_CHARGED; number += 1)
        await moveClockTo(`${dayFrom(monthOf(number), 1)}T18:00:00Z`)
      for (let number = 0; number < MONTHS_CHARGED; number += 1) {
        const { month, year } = monthOf(number)
        const chargedDollars: number[] = []
        for (const index of children.keys()) {
          const { charges } = await account(index)
          const charge = charges.find((row) => row.month === month && row.year === year)
          chargedDollars.push(charge?.amount ?? 0)
        }
        expect(chargedDollars).toEqual(expectedDollars(children, number))
      }
    }),
    { numRuns: FAMILIES, endOnFailure: true, ...(seed !== null && { seed }) },
  )
}, 600_000)
