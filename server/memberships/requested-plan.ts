import { formatShortMoney, toDollars } from '@tatami/contract/lib/money'
import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import type { NewSubscription } from '@tatami/contract/memberships/memberships'
import { formatDayFrom } from '@tatami/contract/plans/plan-days'
import { isForVisits } from '@tatami/contract/plans/plans'
import type { Approval } from '@tatami/contract/students/students'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { linesOfAct } from '../ledger/ledger.ts'
import { plans } from '../plans/tables.ts'
import { students } from '../students/tables.ts'
import { noticesOfChange } from './act-notices.ts'
import { previewOf, startFor } from './acts.ts'
import { sellPack } from './packs.ts'
import { requireQuoted } from './quotes.ts'
import type { StudentNotice } from './tell.ts'

/** A student who awaits approval pays nothing yet, but will when the plan starts. */
export const previewStart = (
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  form: NewSubscription,
): Promise<ActPreview> =>
  previewOf(tx, async () => {
    const [newcomer] = await tx
      .update(students)
      .set({ awaits_approval: false, pays_since: await todayOf(tx, caller.dojoId) })
      .where(and(eq(students.id, studentId), eq(students.awaits_approval, true)))
      .returning()
    const isRequested = newcomer?.requested_plan_id === form.plan_id
    if (isRequested && (await isPack(tx, form.plan_id)))
      return sellRequestedPack(tx, caller, studentId, form)
    return startFor(tx, caller, studentId, form)
  })

/** Starts the plan that a student chose on the join page, or sells the class pack, unless staff
 *  decided against it. Returns what the payers and the student are told. Throws 409 if the plan is
 *  no longer sold. */
export async function startRequestedPlan(
  tx: Tx,
  caller: DojoCaller,
  { id, requested_plan_id }: Pick<typeof students.$inferSelect, 'id' | 'requested_plan_id'>,
  { without_plan, quoted }: Approval,
): Promise<StudentNotice[]> {
  if (requested_plan_id === null) return []
  const form = { plan_id: requested_plan_id, quoted }
  const notices = without_plan ? [] : await startOrSell(tx, caller, id, form)
  await tx.update(students).set({ requested_plan_id: null }).where(eq(students.id, id))
  return notices
}

type RequestedPlan = Pick<NewSubscription, 'plan_id' | 'quoted'>

async function startOrSell(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  form: RequestedPlan,
): Promise<StudentNotice[]> {
  if (await isPack(tx, form.plan_id)) {
    await sellRequestedPack(tx, caller, studentId, form)
    return []
  }
  const starts_on = await todayOf(tx, caller.dojoId)
  const reply = await startFor(tx, caller, studentId, { ...form, starts_on })
  return noticesOfChange(tx, caller.dojoId, reply)
}

async function isPack(tx: Tx, planId: string): Promise<boolean> {
  const [plan] = await tx.select({ kind: plans.kind }).from(plans).where(eq(plans.id, planId))
  return plan !== undefined && isForVisits(plan.kind)
}

async function sellRequestedPack(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  { plan_id, quoted }: RequestedPlan,
): Promise<ActPreview> {
  const sale = { plan_id }
  const { pack, act_id } = await sellPack(tx, caller, studentId, sale, { maySellAgain: false })
  const lines = act_id === null ? [] : await linesOfAct(tx, act_id)
  const charges = lines
    .filter(({ kind }) => kind === 'charge')
    .map(({ cents }) => ({
      ...{ name: pack.plan_name, due_on: pack.bought_on, amount: toDollars(cents), reason: null },
    }))
  requireQuoted(quoted, charges)
  const { visits, bought_on, expires_on } = pack
  const lastDay = expires_on === null ? '' : `, to use by ${formatDayFrom(expires_on, bought_on)}`
  return {
    sentences: [
      `The student gets ${visits === 1 ? '1 class' : `${visits} classes`}${lastDay}.`,
      ...charges.map(({ amount }) => `The student pays ${formatShortMoney(amount)} today.`),
    ],
    ...{ charges, last_day: null, last_sum: null },
  }
}
