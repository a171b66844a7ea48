import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import type {
  OwnEnd,
  OwnEndPreview,
  OwnMembership,
} from '@tatami/contract/memberships/own-memberships'
import { describePrice } from '@tatami/contract/plans/plan-words'
import { toDollars } from '@tatami/contract/lib/money'
import { and, eq, isNull } from 'drizzle-orm'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { guardianships } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import type { StudentSubscription } from '../plans/plans.ts'
import { listStudentPacks } from '../plans/student-packs.ts'
import { holds } from '../plans/tables.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { findSubscriptionsOf } from '../dues/plans/corrections.ts'
import { describeEnd } from './describe-acts.ts'
import { endSubscription, subscriptionById } from './end.ts'
import { withFamilySums } from './family-sums.ts'
import { type DojoDay, dojoDay, keepSubscription, mayKeepOwn } from './keep.ts'
import { nextChargeOf, stateOf } from './show.ts'
import { findUpcomingCharges } from './upcoming-charges.ts'

type Caller = Pick<DojoCaller, 'id' | 'dojoId'>
type OwnStudent = {
  id: string
  name: string
  seesFees: boolean
  /** The payer ends a plan, or an adult for whom nobody pays. */
  mayEnd: boolean
  role: 'student' | 'payer'
}

async function findOwnStudents(tx: Tx, { id, dojoId }: Caller): Promise<OwnStudent[]> {
  const isActiveLink = isNull(guardianships.ended_at)
  const children = await tx
    .select({ ...pick(students, 'id', 'name'), ...pick(guardianships, 'sees_fees', 'pays') })
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(
      and(
        eq(guardianships.guardian_id, id),
        eq(guardianships.sees, true),
        isActiveLink,
        isCurrentStudent,
      ),
    )
    .orderBy(...byName(students))
  const [self] = await tx
    .select(pick(students, 'id', 'name', 'date_of_birth'))
    .from(students)
    .where(and(eq(students.id, id), isCurrentStudent))
  const ownChildren = children.map(({ sees_fees, pays, ...child }) => ({
    ...child,
    ...{ seesFees: sees_fees || pays, mayEnd: pays, role: 'payer' as const },
  }))
  if (!self) return ownChildren
  const hasPayer =
    (await tx.$count(
      guardianships,
      and(eq(guardianships.student_id, id), eq(guardianships.pays, true), isActiveLink),
    )) > 0
  const today = await todayOf(tx, dojoId)
  const isAdult = hasReachedAge(self.date_of_birth, ADULT_AGE, today, { unknown: true })
  const paysAlone = isAdult && !hasPayer
  return [
    { ...pick(self, 'id', 'name'), seesFees: paysAlone, mayEnd: paysAlone, role: 'student' },
    ...ownChildren,
  ]
}

/** Students without a plan or a class pack are left out. */
export async function listOwnMemberships(tx: Tx, caller: Caller): Promise<OwnMembership[]> {
  const dojoToday = await dojoDay(tx, caller.dojoId)
  const { today } = dojoToday
  const memberships: OwnMembership[] = []
  for (const student of await findOwnStudents(tx, caller)) {
    const ownPlans = await findSubscriptionsOf(tx, student.id)
    const hasPlan = ownPlans.some(
      (plan) => stateOf(plan, today) !== 'ended' || mayKeepOwn(plan, ownPlans, dojoToday),
    )
    const hasPacks = (await listStudentPacks(tx, [student.id], today)).size > 0
    if (hasPlan || hasPacks)
      memberships.push(await describeMembership(tx, caller.dojoId, student, ownPlans, dojoToday))
  }
  return memberships
}

async function describeMembership(
  tx: Tx,
  dojoId: string,
  student: OwnStudent,
  ownPlans: readonly StudentSubscription[],
  dojoToday: DojoDay,
): Promise<OwnMembership> {
  const { today } = dojoToday
  const currentPlans = ownPlans.filter(
    (plan) => stateOf(plan, today) !== 'ended' || mayKeepOwn(plan, ownPlans, dojoToday),
  )
  const upcomingCharges = await findUpcomingCharges(tx, dojoId, student.id, today)
  const packs = (await listStudentPacks(tx, [student.id], today)).get(student.id) ?? []
  const holdRows = await tx.select().from(holds).where(eq(holds.student_id, student.id))
  const hold = holdRows.find(
    ({ starts_on, ends_on }) => starts_on <= today && (ends_on === null || ends_on >= today),
  )
  return {
    student_id: student.id,
    name: student.name,
    subscriptions: currentPlans.map((subscription) => ({
      ...pick(subscription, 'id', 'plan_name', 'is_add_on', 'starts_on'),
      ends_on: subscription.lastDay,
      state: stateOf(subscription, today),
      price: student.seesFees ? priceText(subscription, today) : null,
      next_charge: student.seesFees ? nextChargeOf(subscription, upcomingCharges) : null,
      may_end: student.mayEnd && subscription.cancelled_at === null,
      may_keep: student.mayEnd && mayKeepOwn(subscription, ownPlans, dojoToday),
    })),
    hold: hold ? pick(hold, 'kind', 'ends_on') : null,
    packs: packs.map((pack) => pick(pack, 'id', 'plan_name', 'visits_left', 'expires_on')),
  }
}

function priceText(
  { kind, billing, starts_on }: StudentSubscription,
  today: string,
): string | null {
  if (kind === 'pack' || kind === 'drop_in') return null
  const day = starts_on > today ? starts_on : today
  const price = billing.prices.findLast(({ from }) => from <= day) ?? billing.prices[0]
  return describePrice({ kind, price: toDollars(price?.cents ?? 0), cycle: billing.cycle })
}

const NOT_THE_PAYER = 'Only whoever pays can do this. Please ask your instructor.'

/** 404 for a plan of somebody else's, 403 for whoever does not pay for it. */
async function requireMayEnd(tx: Tx, caller: Caller, id: string): Promise<OwnStudent> {
  const { student_id } = await subscriptionById(tx, id)
  const student = (await findOwnStudents(tx, caller)).find((row) => row.id === student_id)
  if (!student) throw notFound('Plan')
  if (!student.mayEnd) throw new Refusal(403, NOT_THE_PAYER)
  return student
}

export async function endOwnSubscription(
  tx: Tx,
  caller: Caller,
  id: string,
  { reason }: OwnEnd,
): Promise<OwnEndPreview & { subscription_id: string }> {
  const { id: studentId, role } = await requireMayEnd(tx, caller, id)
  return withFamilySums(tx, caller.dojoId, studentId, async () => {
    const { actId, endedId } = await endSubscription(tx, { ...caller, isStaff: false }, id, {
      ...{ reason, cancelledBy: role, maySkipFee: false },
    })
    const endedPlan = await subscriptionById(tx, endedId)
    const ownPlans = await findSubscriptionsOf(tx, endedPlan.student_id)
    return {
      ...(await describeEnd(tx, caller.dojoId, endedId, actId)),
      subscription_id: endedId,
      may_keep: mayKeepOwn(endedPlan, ownPlans, await dojoDay(tx, caller.dojoId)),
    }
  })
}

export async function keepOwnSubscription(tx: Tx, caller: Caller, id: string): Promise<ActPreview> {
  await requireMayEnd(tx, caller, id)
  const { actId } = await keepSubscription(tx, { ...caller, isStaff: false }, id)
  return describeEnd(tx, caller.dojoId, id, actId)
}
