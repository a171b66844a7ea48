import type { NewPack, StudentPack } from '@tatami/contract/memberships/packs'
import { formatFullDay } from '@tatami/contract/plans/plan-days'
import { packExpiry } from '@tatami/contract/plans/packs'
import { refusalWithout } from '@tatami/contract/rights'
import { and, desc, eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { chargeStudents } from '../dues/payment-acts.ts'
import { requireCurrent, requireStudent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { lockStudent } from '../ledger/ledger.ts'
import { ledgerLines } from '../ledger/tables.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { isPackSold } from '../plans/pack-sales.ts'
import { listStudentPacks } from '../plans/student-packs.ts'
import { plans, planVersions, studentPacks } from '../plans/tables.ts'

const NO_PACK = 'This plan is not a class pack'
const IS_RETIRED = 'This plan is retired, so it is not sold anymore'
const hasExpired = (lastDay: string) =>
  `It would have expired on ${formatFullDay(lastDay)}. Choose a later day.`
const SOLD_ALREADY =
  'This was sold to the student already. To sell it twice, send an Idempotency-Key with each request.'
const IN_FUTURE = 'Date must not be in the future'

type PlanVersion = { plan: typeof plans.$inferSelect; terms: typeof planVersions.$inferSelect }

async function findSoldVersion(tx: Tx, planId: string): Promise<PlanVersion> {
  const [version] = await tx
    .select({ plan: plans, terms: planVersions })
    .from(plans)
    .innerJoin(planVersions, eq(planVersions.plan_id, plans.id))
    .where(eq(plans.id, planId))
    .orderBy(desc(planVersions.n))
    .limit(1)
  if (!version) throw notFound('Plan')
  if (version.plan.kind !== 'pack' && version.plan.kind !== 'drop_in')
    throw new Refusal(409, NO_PACK)
  if (version.plan.retired_at !== null) throw new Refusal(409, IS_RETIRED)
  return version
}

/** A drop-in is a pack of one visit on one day. */
const visitsOf = ({ plan, terms }: PlanVersion, boughtOn: string) =>
  plan.kind === 'drop_in'
    ? { visits: 1, expires_on: boughtOn }
    : { visits: terms.visits ?? 1, expires_on: packExpiry(boughtOn, terms.valid_days) }

export async function sellPack(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  { plan_id, bought_on, price_override, override_reason, is_expired }: NewPack,
  { maySellAgain }: { maySellAgain: boolean },
): Promise<{ pack: StudentPack; act_id: string | null }> {
  requireCurrent(await requireStudent(tx, studentId))
  const today = await todayOf(tx, caller.dojoId)
  const boughtOn = bought_on ?? today
  if (boughtOn > today) throw invalid('bought_on', IN_FUTURE)
  const version = await findSoldVersion(tx, plan_id)
  const { expires_on } = visitsOf(version, boughtOn)
  if (expires_on !== null && expires_on < today && !is_expired)
    throw invalid('bought_on', hasExpired(expires_on))
  const isCheaper = typeof price_override === 'number' && price_override < version.terms.price
  if (isCheaper && caller.staff && !caller.staff.rights.has('money.give_back'))
    throw new Refusal(403, refusalWithout('money.give_back'))
  await lockStudent(tx, studentId)
  if (!maySellAgain) await refuseSecondSale(tx, { student_id: studentId, plan_id, boughtOn })
  const sale = await chargePack(tx, caller, studentId, version, {
    amount: price_override ?? version.terms.price,
    charged_on: boughtOn,
    reason: override_reason ?? null,
  })
  const id = newId()
  await tx.insert(studentPacks).values({
    ...{ id, student_id: studentId, plan_id, version_id: version.terms.id, bought_on: boughtOn },
    ...visitsOf(version, boughtOn),
    charge_id: sale?.chargeId ?? null,
    created_by: caller.id,
  })
  await auditAction(tx, caller, 'pack sold', { subject_id: studentId })
  const packs = (await listStudentPacks(tx, [studentId], today)).get(studentId)
  const pack = packs?.find((studentPack) => studentPack.id === id)
  if (!pack) throw new Error('The pack that was sold is missing')
  return { pack, act_id: sale?.actId ?? null }
}

/** A client without an Idempotency-Key may send the same sale twice by mistake. */
async function refuseSecondSale(
  tx: Tx,
  { student_id, plan_id, boughtOn }: { student_id: string; plan_id: string; boughtOn: string },
): Promise<void> {
  const isSameSale = and(
    eq(studentPacks.student_id, student_id),
    eq(studentPacks.plan_id, plan_id),
    eq(studentPacks.bought_on, boughtOn),
    isPackSold,
  )
  if ((await tx.$count(studentPacks, isSameSale)) > 0) throw new Refusal(409, SOLD_ALREADY)
}

type Sale = { amount: number; charged_on: string; reason: string | null }

/** Null if the pack costs nothing. */
async function chargePack(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  { plan }: PlanVersion,
  { amount, charged_on, reason }: Sale,
): Promise<{ actId: string; chargeId: string | null } | null> {
  if (amount === 0) return null
  const { act_id } = await chargeStudents(tx, caller, {
    student_ids: [studentId],
    kind: plan.kind === 'drop_in' ? 'drop_in' : 'pack',
    amount,
    note: reason === null ? plan.name : `${plan.name} (${reason})`,
    charged_on,
  })
  const [line] = await tx
    .select({ charge_id: ledgerLines.charge_id })
    .from(ledgerLines)
    .where(and(eq(ledgerLines.act_id, act_id), eq(ledgerLines.kind, 'charge')))
    .limit(1)
  return { actId: act_id, chargeId: line?.charge_id ?? null }
}
