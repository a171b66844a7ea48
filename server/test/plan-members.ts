import { addDays } from '@tatami/contract/lib/calendar-day'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { type Plan, type PlanForm } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { eq } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import { firstRow } from '../lib/rows.ts'
import { holds, studentPacks, subscriptions } from '../plans/tables.ts'
import { students } from '../students/tables.ts'
import type { startTestServer } from './test-server.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>
type Sensei = Awaited<ReturnType<Server['createSensei']>>

export const examplePlan = (changes: Partial<PlanForm> = {}): PlanForm => ({
  ...mustExist(PLAN_TEMPLATES[0], 'The first template'),
  ...changes,
})

export const createPlan = async (sensei: Sensei, changes: Partial<PlanForm> = {}): Promise<Plan> =>
  (await sensei.post('/plans', examplePlan(changes))).body.plan

type SubscriptionRow = typeof subscriptions.$inferInsert
type NewMember = { studentId: string; plan: Plan }

/** Puts a student on a plan without charging anything. Returns the id of the subscription. */
export function insertSubscription(
  server: Server,
  { dojoId }: Sensei,
  { studentId, plan }: NewMember,
  changes: Partial<SubscriptionRow> = {},
): Promise<string> {
  return server.db.inDojo(dojoId, async (tx) => {
    const rows = await tx
      .insert(subscriptions)
      .values({
        id: newId(),
        student_id: studentId,
        plan_id: plan.id,
        version_id: plan.version_id,
        is_add_on: plan.is_add_on,
        starts_on: '2026-01-01',
        billing_day: 'first',
        first_period: 'prorated',
        ...changes,
      })
      .returning({ id: subscriptions.id })
    await tx
      .update(students)
      .set({ has_subscription: true, monthly_payment_amount: plan.price })
      .where(eq(students.id, studentId))
    return firstRow(rows).id
  })
}

/** Gives a student a class pack without charging anything. Returns its id. */
export function insertPack(
  server: Server,
  { dojoId }: Sensei,
  { studentId, plan }: NewMember,
  boughtOn: string,
): Promise<string> {
  return server.db.inDojo(dojoId, async (tx) => {
    const rows = await tx
      .insert(studentPacks)
      .values({
        id: newId(),
        student_id: studentId,
        plan_id: plan.id,
        version_id: plan.version_id,
        bought_on: boughtOn,
        expires_on: plan.valid_days === null ? null : addDays(boughtOn, plan.valid_days),
        visits: plan.visits ?? 1,
      })
      .returning({ id: studentPacks.id })
    return firstRow(rows).id
  })
}

export function insertHold(
  server: Server,
  { dojoId }: Sensei,
  row: Pick<typeof holds.$inferInsert, 'student_id' | 'starts_on'> &
    Partial<typeof holds.$inferInsert>,
): Promise<string> {
  return server.db.inDojo(dojoId, async (tx) => {
    const rows = await tx
      .insert(holds)
      .values({ id: newId(), kind: 'injury', billing: 'prorated', ...row })
      .returning({ id: holds.id })
    return firstRow(rows).id
  })
}
