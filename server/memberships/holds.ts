import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import type { NewHold } from '@tatami/contract/memberships/holds'
import { addDays, addMonthsToDay } from '@tatami/contract/lib/calendar-day'
import { and, eq, type SQL } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { giveAllFreePlaces } from '../calendar/dates/places.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { requireCurrent, requireStudent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { formatShortDay } from '../lib/format-day.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { defaultHoldBilling } from '../plans/hold-billing.ts'
import { refuseOverlap } from '../plans/overlapping-holds.ts'
import { findSubscriptions, type StudentSubscription } from '../plans/plans.ts'
import { holds, subscriptions } from '../plans/tables.ts'
import { addHoldOfVacation, type HoldRow, showHoldsAsVacation } from '../plans/vacation-holds.ts'
import { pastVacations } from '../students/tables.ts'
import { changePlansOf } from '../dues/plans/corrections.ts'
import { describeHoldChange } from './hold-preview.ts'
import { everStarts } from './replacements.ts'

type HoldReply = ActPreview & { hold_id: string }
type HoldValues = Omit<HoldRow, 'dojo_id' | 'id' | 'created_at'>

/** Holds that are entered later give back what was charged. */
const MAX_MONTHS_BACK = 12
const NEEDS_PLAN = 'Without a plan on these days, the hold cannot cost a fee or the full price'
const BEGINS_TOO_EARLY = 'A hold can start up to a year ago'
const ENDS_BEFORE_START = 'The hold must not end before it starts'
const NOT_BEGUN = 'This hold has not started. Delete it instead.'
const NOT_ENDED_SOONER = 'This hold did not end sooner than planned'

const everyPlan = (studentId: string): SQL => eq(subscriptions.student_id, studentId)

async function holdValues(
  tx: Tx,
  studentId: string,
  caller: Pick<DojoCaller, 'id'>,
  form: NewHold,
): Promise<HoldValues> {
  const planBilling = await defaultHoldBilling(tx, studentId, form.starts_on)
  const billing = form.billing ?? planBilling.billing
  return {
    student_id: studentId,
    subscription_id: form.subscription_id ?? null,
    starts_on: form.starts_on,
    ends_on: form.ends_on ?? null,
    kind: form.kind,
    billing,
    fee: billing === 'fee' ? (form.fee ?? planBilling.fee) : 0,
    moves_end: form.moves_end ?? false,
    ends_on_return: form.ends_on_return ?? false,
    planned_end: null,
    returned_on: null,
    ended_on: null,
    asked_by: null,
    told_on: null,
    created_by: caller.id,
  }
}

async function checkNewHold(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  form: NewHold,
  today: string,
): Promise<HoldValues> {
  requireCurrent(await requireStudent(tx, studentId))
  if (form.starts_on < addMonthsToDay(today, 0 - MAX_MONTHS_BACK))
    throw invalid('starts_on', BEGINS_TOO_EARLY)
  const values = await holdValues(tx, studentId, caller, form)
  await requirePlanOf(tx, values)
  if (form.billing) await refusePaidWithoutPlan(tx, values)
  await refuseOverlap(tx, values, null)
  return values
}

async function requirePlanOf(
  tx: Tx,
  { student_id, subscription_id }: Pick<HoldValues, 'student_id' | 'subscription_id'>,
): Promise<void> {
  if (subscription_id === null) return
  const ofStudent = and(
    eq(subscriptions.id, subscription_id),
    eq(subscriptions.student_id, student_id),
  )
  if ((await tx.$count(subscriptions, ofStudent)) === 0) throw notFound('Subscription')
}

/** Only plans know what a hold costs. The monthly fee is not due in a month that is on hold. */
async function refusePaidWithoutPlan(
  tx: Tx,
  { student_id, billing, starts_on, ends_on }: HoldValues,
): Promise<void> {
  if (billing !== 'fee' && billing !== 'full') return
  const hasPlan = (await findSubscriptions(tx, everyPlan(student_id))).some(
    (plan) =>
      everStarts(plan) &&
      (plan.lastDay === null || plan.lastDay >= starts_on) &&
      (ends_on === null || plan.starts_on <= ends_on),
  )
  if (!hasPlan) throw invalid('billing', NEEDS_PLAN)
}

export async function addHold(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  form: NewHold,
): Promise<HoldReply> {
  const today = await todayOf(tx, caller.dojoId)
  await addHoldOfVacation(tx, studentId, today)
  const values = await checkNewHold(tx, caller, studentId, form, today)
  const id = newId()
  const preview = await changeHolds(tx, caller, { newHold: values }, today, () =>
    tx.insert(holds).values({ ...values, id }),
  )
  await auditHold(tx, caller, 'hold added', values, form.starts_on)
  return { ...preview, hold_id: id }
}

/** What was charged for days on hold becomes credit. Holds of all plans are vacations, too, and a
 *  place in a class that becomes free goes to the waitlist. */
async function changeHolds(
  tx: Tx,
  caller: DojoCaller,
  { oldHold, newHold }: { oldHold?: HoldRow; newHold: HoldValues },
  today: string,
  change: () => Promise<unknown>,
): Promise<ActPreview> {
  const { student_id, subscription_id, starts_on } = newHold
  const [firstPlan] = await findSubscriptions(tx, everyPlan(student_id))
  // A period that began long before the hold may have been charged, such as a year.
  const firstDay = firstPlan && firstPlan.starts_on < starts_on ? firstPlan.starts_on : starts_on
  const oldDays = oldHold ? daysOf(oldHold) : null
  const changedHold = { student_id, subscription_id, oldDays, days: daysOf(newHold) }
  return describeHoldChange(tx, caller.dojoId, changedHold, async () => {
    const staffCaller = { ...caller, isStaff: true }
    const { actId } = await changePlansOf(tx, staffCaller, student_id, firstDay, async () => {
      const wasOverrun = (await findOverrun(tx, student_id)) !== null
      await change()
      // Whoever is back from a hold without a last day can end it in any case.
      if (!wasOverrun && oldHold?.ends_on !== null) await refuseOverrun(tx, student_id)
    })
    if (subscription_id === null) {
      await showHoldsAsVacation(tx, [student_id], today)
      await giveAllFreePlaces(tx, caller.dojoId)
    }
    return actId
  })
}

type Overrun = { movedPlan: StudentSubscription; lastDay: string; nextPlan: StudentSubscription }

/** The first plan that ends only after the next one has started, because holds moved its end. */
async function findOverrun(tx: Tx, studentId: string): Promise<Overrun | null> {
  const basePlans = (await findSubscriptions(tx, everyPlan(studentId))).filter(
    (plan) => !plan.is_add_on && everStarts(plan),
  )
  for (const [index, movedPlan] of basePlans.entries()) {
    const { lastDay } = movedPlan
    const nextPlan = basePlans[index + 1]
    if (nextPlan && lastDay !== null && lastDay >= nextPlan.starts_on)
      return { movedPlan, lastDay, nextPlan }
  }
  return null
}

/** A student has at most one plan that is no add-on on a day. */
async function refuseOverrun(tx: Tx, studentId: string): Promise<void> {
  const overrun = await findOverrun(tx, studentId)
  if (overrun === null) return
  const { movedPlan, lastDay, nextPlan } = overrun
  throw new Refusal(
    409,
    `The hold would move the end of ${movedPlan.plan_name} to ${formatShortDay(lastDay)}, but ` +
      `${nextPlan.plan_name} starts on ${formatShortDay(nextPlan.starts_on)}. Choose a hold that ` +
      'does not move the end.',
  )
}

const daysOf = ({ starts_on, ends_on }: Pick<HoldValues, 'starts_on' | 'ends_on'>) => ({
  ...{ from: starts_on, until: ends_on },
})

const describeUnchanged = (tx: Tx, caller: DojoCaller, hold: HoldRow): Promise<ActPreview> =>
  describeHoldChange(
    tx,
    caller.dojoId,
    { ...pick(hold, 'student_id', 'subscription_id'), oldDays: null, days: daysOf(hold) },
    () => Promise.resolve(null),
  )

type HoldAction = 'hold added' | 'hold ended' | 'hold deleted' | 'hold reopened'

const auditHold = (
  tx: Tx,
  caller: DojoCaller,
  action: HoldAction,
  { student_id }: Pick<HoldValues, 'student_id'>,
  day: string,
) => auditAction(tx, caller, action, { subject_id: student_id, details: { day } })

async function lockHold(tx: Tx, id: string): Promise<HoldRow> {
  const [row] = await tx.select().from(holds).where(eq(holds.id, id)).for('update')
  if (!row) throw notFound('Hold')
  return row
}

/** Without a day, the hold ends yesterday. A hold that is over stays as it is. */
export async function endHold(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  lastDay: string | null,
): Promise<HoldReply> {
  const row = await lockHold(tx, id)
  const today = await todayOf(tx, caller.dojoId)
  const yesterday = addDays(today, -1)
  const isOver = row.ends_on !== null && row.ends_on < today
  if (lastDay === null && isOver)
    return { ...(await describeUnchanged(tx, caller, row)), hold_id: id }
  if (lastDay === null && row.starts_on > yesterday) throw new Refusal(409, NOT_BEGUN)
  const ends_on = lastDay ?? yesterday
  if (ends_on < row.starts_on) throw invalid('ends_on', ENDS_BEFORE_START)
  const change = {
    ...{ ends_on, told_on: null },
    ...{ planned_end: row.ends_on, ended_on: today, returned_on: null },
  }
  await refuseOverlap(tx, { ...row, ...change }, id)
  const newHold = { ...row, ...change }
  const preview = await changeHolds(tx, caller, { oldHold: row, newHold }, today, () =>
    tx.update(holds).set(change).where(eq(holds.id, id)),
  )
  await auditHold(tx, caller, 'hold ended', row, ends_on)
  return { ...preview, hold_id: id }
}

export async function deleteHold(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const row = await lockHold(tx, id)
  const today = await todayOf(tx, caller.dojoId)
  await changeHolds(tx, caller, { newHold: row }, today, () => deleteRow(tx, row))
  await auditHold(tx, caller, 'hold deleted', row, row.starts_on)
}

async function deleteRow(tx: Tx, row: HoldRow): Promise<void> {
  await tx.delete(holds).where(eq(holds.id, row.id))
  if (row.subscription_id === null && row.ends_on !== null)
    await tx
      .delete(pastVacations)
      .where(
        and(
          eq(pastVacations.student_id, row.student_id),
          eq(pastVacations.vacation_from, row.starts_on),
          eq(pastVacations.vacation_until, row.ends_on),
        ),
      )
}

/** Takes back that a mark or an instructor ended the hold. Later marks do not end it again. */
export async function reopenHold(tx: Tx, caller: DojoCaller, id: string): Promise<HoldReply> {
  const row = await lockHold(tx, id)
  if (row.returned_on === null && row.ended_on === null) throw new Refusal(409, NOT_ENDED_SOONER)
  const today = await todayOf(tx, caller.dojoId)
  const change = {
    ends_on: row.planned_end,
    planned_end: null,
    ended_on: null,
    returned_on: null,
    ends_on_return: row.returned_on === null && row.ends_on_return,
  }
  await refuseOverlap(tx, { ...row, ...change }, id)
  const newHold = { ...row, ...change }
  const preview = await changeHolds(tx, caller, { oldHold: row, newHold }, today, () =>
    tx.update(holds).set(change).where(eq(holds.id, id)),
  )
  await auditHold(tx, caller, 'hold reopened', row, row.starts_on)
  return { ...preview, hold_id: id }
}
