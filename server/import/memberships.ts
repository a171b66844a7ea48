import { firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { toCents, toDollars } from '@tatami/contract/lib/money'
import type { ImportForm } from '@tatami/contract/import/import-form'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { membershipKey } from '@tatami/contract/import/memberships'
import { agreedEnd } from '@tatami/contract/plans/ends'
import { monthlyCents } from '@tatami/contract/plans/periods'
import { isForVisits, type Plan as DojoPlan } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { VACATION } from '@tatami/contract/memberships/holds'
import { eq, sql } from 'drizzle-orm'
import { equalsAny, inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import type { Actor } from '../guardians/guardian-records.ts'
import { invalid } from '../lib/refusal.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { addPlan, listPlans } from '../plans/catalog.ts'
import { readPlanRules } from '../plans/plans.ts'
import { holds, plans, subscriptionPrices, subscriptions } from '../plans/tables.ts'
import { students } from '../students/tables.ts'
import type { PlannedStudent } from './plan.ts'

const MAX_PLAN_NAME = 60

type MembershipChoice = NonNullable<ImportForm['memberships']>[number]
type SheetMembership = {
  name: string
  /** New students who would get the plan. */
  students: PlannedStudent[]
  plan: DojoPlan | 'new' | null
}
export type SheetMemberships = readonly SheetMembership[]

/** Only new students get plans, except former students and students on trial. */
const mayGetPlan = ({ existing, departure, person }: PlannedStudent): boolean =>
  existing === null && departure === null && !person.is_trial

/** Lists the memberships in the sheet with the plans that the instructor chose. Throws 422 for a plan
 *  that is not on sale. */
export async function resolveMemberships(
  tx: Tx,
  dojoId: string,
  { memberships: choices = [] }: ImportForm,
  plannedStudents: readonly PlannedStudent[],
): Promise<SheetMemberships> {
  const studentsByKey = Map.groupBy(plannedStudents.filter(mayGetPlan), ({ person }) =>
    membershipKey(person.membership ?? ''),
  )
  studentsByKey.delete('')
  if (studentsByKey.size === 0) return []
  const soldPlans = (await listPlans(tx, dojoId)).filter(
    ({ kind, retired_at }) => retired_at === null && !isForVisits(kind),
  )
  const choiceByKey = new Map(choices.map((choice) => [membershipKey(choice.name), choice]))
  return [...studentsByKey].map(([key, members]) => ({
    name: firstRow(members).person.membership ?? '',
    students: members,
    plan: findChosenPlan(choiceByKey.get(key), soldPlans),
  }))
}

function findChosenPlan(
  choice: MembershipChoice | undefined,
  soldPlans: readonly DojoPlan[],
): SheetMembership['plan'] {
  if (choice?.is_new) return 'new'
  if (!choice?.plan_id) return null
  const plan = soldPlans.find(({ id }) => id === choice.plan_id)
  if (!plan) throw invalid('memberships', 'Plan is not valid')
  return plan
}

/** Returns the fee that most students with the membership pay, in dollars. */
function findCommonFee({ students: members }: SheetMembership): number {
  const fees = members.flatMap(({ person }) => person.monthly_payment_amount ?? [])
  const groups = [...Map.groupBy(fees, (fee) => fee).values()]
  const largestGroup = groups.toSorted((a, b) => b.length - a.length)[0]
  return largestGroup?.[0] ?? 0
}

export const listMemberships = (
  memberships: SheetMemberships,
): ImportPlan['memberships_in_sheet'] =>
  memberships.map((membership) => ({
    name: membership.name,
    students: membership.students.length,
    plan_id: membership.plan === null || membership.plan === 'new' ? null : membership.plan.id,
    is_new: membership.plan === 'new',
    fee: findCommonFee(membership),
  }))

export const hasNewPlans = (memberships: SheetMemberships): boolean =>
  memberships.some(({ plan }) => plan === 'new')

/** Returns a line for the notes if the student's membership does not become a plan. */
export function membershipNote(
  student: Pick<PlannedStudent, 'id' | 'person'>,
  memberships: SheetMemberships,
): string | null {
  const { membership } = student.person
  if (!membership) return null
  const hasPlan = memberships.some(
    ({ plan, students: members }) => plan !== null && members.some(({ id }) => id === student.id),
  )
  return hasPlan ? null : `Membership: ${membership}`
}

/** Puts new students on their plans from the 1st of this month. Returns the ids of new plans. */
export async function startMemberships(
  tx: Tx,
  caller: Actor,
  memberships: SheetMemberships,
  today: string,
): Promise<string[]> {
  const newPlanIds: string[] = []
  for (const membership of memberships) {
    if (membership.plan === null) continue
    const plan =
      membership.plan === 'new' ? await addNewPlan(tx, caller, membership) : membership.plan
    if (membership.plan === 'new') newPlanIds.push(plan.id)
    await startPlan(tx, caller, plan, membership.students, today)
  }
  return newPlanIds
}

async function addNewPlan(tx: Tx, caller: Actor, membership: SheetMembership): Promise<DojoPlan> {
  const { plan } = await addPlan(tx, caller, {
    ...firstRow(PLAN_TEMPLATES),
    name: membership.name.slice(0, MAX_PLAN_NAME).trim(),
    description: null,
    price: findCommonFee(membership),
  })
  return plan
}

async function startPlan(
  tx: Tx,
  caller: Actor,
  plan: DojoPlan,
  members: readonly PlannedStudent[],
  today: string,
): Promise<void> {
  const starts_on = firstDayOf(monthOfDate(today))
  const rules = await readPlanRules(tx)
  const rows = members.map((student) => ({
    id: newId(),
    student_id: student.id,
    plan_id: plan.id,
    version_id: plan.version_id,
    starts_on,
    ends_on: findLastDayOfTerm(plan, starts_on),
    ...pick(plan, 'is_add_on'),
    ...pick(rules, 'billing_day', 'first_period'),
    // Members paid the sign-up fee before the school used Tatami.
    sign_up_waived: true,
    fee_before: plan.is_add_on ? null : 0,
    created_by: caller.id,
  }))
  await inChunks(rows, (chunk) => tx.insert(subscriptions).values(chunk))
  await keepOwnPrices(tx, caller, plan, members, rows)
  await addVacationHolds(tx, caller, plan, members, today)
  await saveMonthlyFees(tx, plan, members)
}

const toCycle = ({ cycle_unit: unit, cycle_count: count }: DojoPlan) => ({ unit, count })
const isMonthly = ({ cycle_unit, cycle_count }: DojoPlan) =>
  cycle_unit === 'month' && cycle_count === 1

function findLastDayOfTerm(plan: DojoPlan, starts_on: string): string | null {
  if (plan.kind !== 'term') return null
  return agreedEnd({
    kind: 'term',
    starts_on,
    cycle: toCycle(plan),
    minimum_months: plan.minimum_months,
  })
}

/** A member whose monthly fee differs from the plan's price keeps paying that fee. */
async function keepOwnPrices(
  tx: Tx,
  caller: Actor,
  plan: DojoPlan,
  members: readonly PlannedStudent[],
  rows: readonly { id: string; student_id: string; starts_on: string }[],
): Promise<void> {
  if (!isMonthly(plan) || plan.is_add_on) return
  const feeByStudent = new Map(
    members.map(({ id, person }) => [id, person.monthly_payment_amount ?? plan.price]),
  )
  const ownPrices = rows.flatMap(({ id: subscription_id, student_id, starts_on }) => {
    const price = feeByStudent.get(student_id) ?? null
    if (price === plan.price) return []
    const reason = 'Price from the import'
    return [{ subscription_id, student_id, starts_on, price, reason, created_by: caller.id }]
  })
  await inChunks(ownPrices, (chunk) => tx.insert(subscriptionPrices).values(chunk))
}

/** A member on vacation also gets a hold, which decides what the plan costs during that time. */
async function addVacationHolds(
  tx: Tx,
  caller: Actor,
  { hold_billing: billing }: DojoPlan,
  members: readonly PlannedStudent[],
  today: string,
): Promise<void> {
  const rows = members
    .filter(({ person }) => person.on_vacation)
    .map(({ id: student_id }) => ({
      ...{ student_id, billing, kind: VACATION },
      starts_on: today,
      created_by: caller.id,
    }))
  await inChunks(rows, (chunk) => tx.insert(holds).values(chunk))
}

/** Members without their own fee pay the plan's price per month. */
async function saveMonthlyFees(
  tx: Tx,
  plan: DojoPlan,
  members: readonly PlannedStudent[],
): Promise<void> {
  await tx
    .update(students)
    .set({ has_subscription: true })
    .where(equalsAny(students.id, pluck(members, 'id')))
  if (plan.is_add_on) return
  const monthlyPrice = toDollars(monthlyCents(toCents(plan.price ?? 0), toCycle(plan)))
  const membersWithPlanPrice = members.filter(
    ({ person }) => !isMonthly(plan) || person.monthly_payment_amount === null,
  )
  await tx
    .update(students)
    .set({ monthly_payment_amount: monthlyPrice })
    .where(equalsAny(students.id, pluck(membersWithPlanPrice, 'id')))
}

/** Deletes plans that an import added, unless a student still has them. */
export const deleteUnusedPlans = (tx: Tx, planIds: string[]) =>
  tx.delete(plans).where(
    sql`${equalsAny(plans.id, planIds)} and not exists (
      select from ${subscriptions} where ${eq(subscriptions.plan_id, plans.id)})`,
  )
