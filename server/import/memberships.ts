import { ageOn, firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { formatShortMoney, toCents, toDollars } from '@tatami/contract/lib/money'
import type { ImportForm } from '@tatami/contract/import/import-form'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { membershipKey } from '@tatami/contract/import/memberships'
import { type PackCell, readPackCell } from '@tatami/contract/import/pack-cells'
import { agreedEnd } from '@tatami/contract/plans/ends'
import { describeAges, isForAge } from '@tatami/contract/plans/plan-facts'
import { packExpiry } from '@tatami/contract/plans/packs'
import { toMonthlyCents } from '@tatami/contract/plans/periods'
import { isForVisits, type Plan as DojoPlan } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { VACATION } from '@tatami/contract/memberships/holds'
import { and, eq, gte, sql } from 'drizzle-orm'
import { equalsAny, inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Actor } from '../guardians/guardian-records.ts'
import { invalid } from '../lib/refusal.ts'
import { firstRow, getOrThrow, groupRows, pick, pluck } from '../lib/rows.ts'
import { addPlan, listPlans } from '../plans/catalog.ts'
import { readPlanRules } from '../plans/plans.ts'
import { holds, plans, studentPacks, subscriptionPrices, subscriptions } from '../plans/tables.ts'
import { students } from '../students/tables.ts'
import type { PlannedStudent } from './plan.ts'

const MAX_PLAN_NAME_LENGTH = 60

type MembershipChoice = NonNullable<ImportForm['memberships']>[number]
/** A new student who would get the plan, and what the cell says about a class pack. */
type SheetMember = { student: PlannedStudent; cell: PackCell }
type SheetMembership = {
  name: string
  members: [SheetMember, ...SheetMember[]]
  plan: DojoPlan | 'new' | null
}
export type SheetMemberships = readonly SheetMembership[]

/** Only new students get plans, except former students and students on trial. */
const canGetPlan = ({ existing, departure, person }: PlannedStudent): boolean =>
  existing === null && departure === null && !person.is_trial

/** Lists the memberships in the sheet with the plans that the instructor chose. Throws 422 for a
 *  plan that is not on sale. */
export async function resolveMemberships(
  tx: Tx,
  dojoId: string,
  { memberships: choices = [], date_order = 'month-first' }: ImportForm,
  plannedStudents: readonly PlannedStudent[],
): Promise<SheetMemberships> {
  const today = await todayOf(tx, dojoId)
  const sheetMembers = plannedStudents.filter(canGetPlan).map((student) => ({
    student,
    cell: readPackCell(student.person.membership ?? '', date_order, today),
  }))
  const membersByKey = groupRows(sheetMembers, ({ cell }) => membershipKey(cell.name))
  membersByKey.delete('')
  if (membersByKey.size === 0) return []
  const plansOnSale = (await listPlans(tx, dojoId)).filter(
    ({ kind, retired_at }) => retired_at === null && kind !== 'drop_in',
  )
  const choiceByKey = new Map(choices.map((choice) => [membershipKey(choice.name), choice]))
  return [...membersByKey].map(([key, members]) => ({
    name: members[0].cell.name,
    members,
    plan: findChosenPlan(key, choiceByKey.get(key), plansOnSale),
  }))
}

/** Without a choice, a membership is the plan that has its name. */
function findChosenPlan(
  key: string,
  choice: MembershipChoice | undefined,
  plansOnSale: readonly DojoPlan[],
): SheetMembership['plan'] {
  if (!choice) {
    const [plan, ...namesakes] = plansOnSale.filter(({ name }) => membershipKey(name) === key)
    return plan && namesakes.length === 0 ? plan : null
  }
  if (choice.is_new) return 'new'
  if (!choice.plan_id) return null
  const chosenPlan = plansOnSale.find(({ id }) => id === choice.plan_id)
  if (!chosenPlan) throw invalid('memberships', 'Plan is not valid')
  return chosenPlan
}

/** Returns the fee that most students with the membership pay, in dollars. */
function findCommonFee({ members }: SheetMembership): number {
  const fees = members.flatMap(({ student }) => student.person.monthly_payment_amount ?? [])
  const groups = [...Map.groupBy(fees, (fee) => fee).values()]
  const largestGroup = groups.toSorted((a, b) => b.length - a.length)[0]
  return largestGroup?.[0] ?? 0
}

export const listMemberships = (
  memberships: SheetMemberships,
): ImportPlan['memberships_in_sheet'] =>
  memberships.map((membership) => ({
    name: membership.name,
    students: membership.members.length,
    plan_id: membership.plan === null || membership.plan === 'new' ? null : membership.plan.id,
    is_new: membership.plan === 'new',
    fee: findCommonFee(membership),
  }))

/** About members who are too young or too old for their plan, which they get all the same, and
 *  about fees that are not charged because they are the price of a class pack. */
export const listMembershipNotices = (
  memberships: SheetMemberships,
  today: string,
): ImportPlan['notices'] =>
  memberships.flatMap(({ plan, members }) =>
    plan === null || plan === 'new'
      ? []
      : members.flatMap(({ student }) => [
          ...describeWrongAge(student, plan, today),
          ...describePackFee(student, plan),
        ]),
  )

function describePackFee(
  { person, rows: [row] }: PlannedStudent,
  { kind, name: packName }: DojoPlan,
): ImportPlan['notices'] {
  const fee = person.monthly_payment_amount
  if (!isForVisits(kind) || !fee || row === undefined) return []
  const message = `${packName} is a class pack, so ${formatShortMoney(fee)} is not charged monthly`
  return [{ row, field: 'monthly_payment_amount', message }]
}

function describeWrongAge(
  { person: { name, date_of_birth }, rows: [row] }: PlannedStudent,
  plan: DojoPlan,
  today: string,
): ImportPlan['notices'] {
  const ages = describeAges(plan)
  if (ages === false || date_of_birth === null || row === undefined) return []
  if (isForAge(plan, ageOn(today, date_of_birth))) return []
  const message = `${name} is not of the age for ${plan.name}: ${ages}`
  return [{ row, field: 'membership_plan', message }]
}

export const hasNewPlans = (memberships: SheetMemberships): boolean =>
  memberships.some(({ plan }) => plan === 'new')

/** Returns a line for the notes, or null if the student's membership becomes a plan. */
export function buildMembershipNote(
  student: Pick<PlannedStudent, 'id' | 'person'>,
  memberships: SheetMemberships,
): string | null {
  const { membership } = student.person
  if (!membership) return null
  const hasPlan = memberships.some(
    ({ plan, members }) =>
      plan !== null && members.some((member) => member.student.id === student.id),
  )
  return hasPlan ? null : `Membership: ${membership}`
}

/** Puts new students on their plans, and gives them their class packs. Returns the ids of plans
 *  that it creates. */
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
    if (isForVisits(plan.kind)) await addPacks(tx, caller, plan, membership.members, today)
    else await startPlan(tx, caller, plan, pluck(membership.members, 'student'), today)
  }
  return newPlanIds
}

async function addNewPlan(tx: Tx, caller: Actor, membership: SheetMembership): Promise<DojoPlan> {
  const { plan } = await addPlan(tx, caller, {
    ...firstRow(PLAN_TEMPLATES),
    name: membership.name.slice(0, MAX_PLAN_NAME_LENGTH).trim(),
    description: null,
    price: findCommonFee(membership),
  })
  return plan
}

/** Gives class packs with the remaining visits, which are already paid for. Attendance marks from
 *  before the import do not use any of them. */
async function addPacks(
  tx: Tx,
  caller: Actor,
  { id: plan_id, version_id, visits, valid_days }: DojoPlan,
  members: readonly SheetMember[],
  today: string,
): Promise<void> {
  const rows = members.map(({ student, cell }) => ({
    student_id: student.id,
    plan_id,
    version_id,
    bought_on: today,
    expires_on: cell.expiresOn ?? packExpiry(today, valid_days),
    visits: cell.visitsLeft ?? visits ?? 1,
    created_by: caller.id,
  }))
  const usableRows = rows.filter((row) => row.visits > 0)
  await inChunks(usableRows, (chunk) => tx.insert(studentPacks).values(chunk))
  const studentIds = members.map(({ student }) => student.id)
  // The fee in the sheet is the price of the pack.
  await tx
    .update(students)
    .set({ monthly_payment_amount: null })
    .where(equalsAny(students.id, studentIds))
}

async function startPlan(
  tx: Tx,
  caller: Actor,
  plan: DojoPlan,
  members: readonly PlannedStudent[],
  today: string,
): Promise<void> {
  const rules = await readPlanRules(tx)
  const rows = members.map((student) => ({
    id: newId(),
    student_id: student.id,
    plan_id: plan.id,
    version_id: plan.version_id,
    ...findPlanDays(plan, student, today),
    ...pick(plan, 'is_add_on'),
    ...pick(rules, 'billing_day', 'first_period'),
    // Members paid the sign-up fee before the school used Tatami.
    sign_up_waived: true,
    fee_before: plan.is_add_on ? null : 0,
    created_by: caller.id,
  }))
  await inChunks(rows, (chunk) => tx.insert(subscriptions).values(chunk))
  if (plan.is_add_on) await skipPaidMonths(tx, pluck(rows, 'id'), today)
  await keepOwnPrices(tx, caller, plan, members, rows)
  await addVacationHolds(tx, caller, plan, members, today)
  await saveMonthlyFees(tx, plan, members)
}

/** An add-on charges nothing for this month and later ones if they were paid elsewhere. */
const skipPaidMonths = (tx: Tx, subscriptionIds: string[], today: string) =>
  tx
    .update(subscriptions)
    .set({ charges_from: sql`(${students.paid_through} + interval '1 month')::date` })
    .from(students)
    .where(
      and(
        equalsAny(subscriptions.id, subscriptionIds),
        eq(students.id, subscriptions.student_id),
        gte(students.paid_through, firstDayOf(monthOfDate(today))),
      ),
    )

const toCycle = ({ cycle_unit: unit, cycle_count: count }: DojoPlan) => ({ unit, count })

/** A plan starts on the day when the member joined, so that weeks are counted from that day, and
 *  long-time members do not start a new minimum term. Without a join date, it starts on the 1st of
 *  this month. A plan whose term is already over continues until somebody ends it. */
function findPlanDays(
  plan: DojoPlan,
  { person: { joined_on } }: PlannedStudent,
  today: string,
): { starts_on: string; ends_on: string | null } {
  const hasJoined = joined_on !== null && joined_on <= today
  const starts_on = hasJoined ? joined_on : firstDayOf(monthOfDate(today))
  const ends_on = findLastDayOfTerm(plan, starts_on)
  const isOver = ends_on !== null && ends_on < today
  return { starts_on, ends_on: isOver ? null : ends_on }
}

function findLastDayOfTerm(plan: DojoPlan, starts_on: string): string | null {
  if (plan.kind !== 'term') return null
  return agreedEnd({
    kind: 'term',
    starts_on,
    cycle: toCycle(plan),
    minimum_months: plan.minimum_months,
  })
}

/** Returns what the student pays in each period: the fee in the sheet, or else the plan's price. */
const findOwnPrice = ({ person }: PlannedStudent, plan: DojoPlan): number =>
  person.monthly_payment_amount ?? plan.price ?? 0

/** A member whose fee in the sheet differs from the plan's price keeps paying that fee. */
async function keepOwnPrices(
  tx: Tx,
  caller: Actor,
  plan: DojoPlan,
  members: readonly PlannedStudent[],
  rows: readonly { id: string; student_id: string; starts_on: string }[],
): Promise<void> {
  const priceByStudent = new Map(
    members.map((student) => [student.id, findOwnPrice(student, plan)]),
  )
  const ownPrices = rows
    .map(({ id: subscription_id, student_id, starts_on }) => ({
      subscription_id,
      student_id,
      starts_on,
      price: getOrThrow(priceByStudent, student_id),
      reason: 'Imported',
      created_by: caller.id,
    }))
    .filter(({ price }) => price !== plan.price)
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
      student_id,
      billing,
      kind: VACATION,
      starts_on: today,
      created_by: caller.id,
    }))
  await inChunks(rows, (chunk) => tx.insert(holds).values(chunk))
}

/** Saves what the plan costs in a month as the students' monthly fee. Students who have only an
 *  add-on get no monthly fee, because the fee in the sheet is the price of the add-on. */
async function saveMonthlyFees(
  tx: Tx,
  plan: DojoPlan,
  members: readonly PlannedStudent[],
): Promise<void> {
  await tx
    .update(students)
    .set({ has_subscription: true, ...(plan.is_add_on && { monthly_payment_amount: null }) })
    .where(equalsAny(students.id, pluck(members, 'id')))
  if (plan.is_add_on) return
  const membersByPrice = Map.groupBy(members, (student) => findOwnPrice(student, plan))
  for (const [price, membersWithPrice] of membersByPrice)
    await tx
      .update(students)
      .set({ monthly_payment_amount: toDollars(toMonthlyCents(toCents(price), toCycle(plan))) })
      .where(equalsAny(students.id, pluck(membersWithPrice, 'id')))
}

/** Deletes plans that an import added, unless a student still has them. */
export const deleteUnusedPlans = (tx: Tx, planIds: string[]) =>
  tx.delete(plans).where(
    sql`${equalsAny(plans.id, planIds)}
      and not exists (select from ${subscriptions} where ${eq(subscriptions.plan_id, plans.id)})
      and not exists (select from ${studentPacks} where ${eq(studentPacks.plan_id, plans.id)})`,
  )
