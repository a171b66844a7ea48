import { createHash } from 'node:crypto'
import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  isForVisits,
  type Plan,
  type PlanChange,
  type PlanForm,
  type PriceAnnouncement,
} from '@tatami/contract/plans/plans'
import { and, asc, eq, gte, isNull, ne, or, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { findUnknownClasses } from '../classes/classes.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { firstRow, omit, pick, pluck } from '../lib/rows.ts'
import { readPlanRules } from './plans.ts'
import { planVersions, plans, priceAnnouncements, studentPacks, subscriptions } from './tables.ts'

type Caller = Pick<DojoCaller, 'id' | 'dojoId'>
type PlanRow = typeof plans.$inferSelect
type VersionRow = typeof planVersions.$inferSelect

const KIND_IS_FIXED = 'Somebody has this plan, so its kind cannot change. Create another plan.'
const CHANGED_SINCE =
  'Somebody else has changed this plan since you opened it. Look at it as it is now, and change it ' +
  'again.'
const nameIsTaken = (name: string) =>
  `There is already a plan named ${name}. Choose another name, or edit that plan.`
const NOBODY_PAYS_LESS = 'All members already pay this price'

const PLAN_FIELDS = ['name', 'description', 'is_public', 'is_add_on', 'kind'] as const

/** Plans in the order in which they were made, retired ones last. */
export async function listPlans(tx: Tx, dojoId: string): Promise<Plan[]> {
  const planRows = await tx
    .select()
    .from(plans)
    .orderBy(sql`${plans.retired_at} is not null`, asc(plans.created_at), asc(plans.id))
  if (planRows.length === 0) return []
  const versionRows = await tx.select().from(planVersions).orderBy(asc(planVersions.n))
  const versionsByPlan = Map.groupBy(versionRows, ({ plan_id }) => plan_id)
  const memberCounts = await countMembers(tx, await todayOf(tx, dojoId))
  const announcements = await tx
    .select()
    .from(priceAnnouncements)
    .orderBy(asc(priceAnnouncements.created_at), asc(priceAnnouncements.id))
  return planRows.map((row) => {
    const versions = versionsByPlan.get(row.id) ?? []
    const announcement = announcements.findLast(({ plan_id }) => plan_id === row.id)
    const versionToCome = versions.find(({ id }) => id === announcement?.version_id)
    return {
      ...describePlan(row, versions, memberCounts),
      announcement:
        announcement && versionToCome
          ? { price: versionToCome.price, effective_on: announcement.effective_on }
          : null,
    }
  })
}

function describePlan(
  row: PlanRow,
  versions: readonly VersionRow[],
  memberCounts: ReadonlyMap<string, number>,
) {
  const newestVersion = versions.at(-1)
  if (!newestVersion) throw new Error('A plan has no version')
  const { id: version_id, ...terms } = newestVersion
  const countedVersions = versions.map((version) => ({
    ...pick(version, 'id', 'n', 'price', 'valid_from'),
    members: memberCounts.get(version.id) ?? 0,
  }))
  return {
    ...terms,
    ...row,
    version_id,
    members: countedVersions.reduce((sum, { members }) => sum + members, 0),
    versions: countedVersions.filter(({ id, members }) => members > 0 || id === version_id),
  }
}

/** By version: the students who have it, will have it, or have a pack of it. */
async function countMembers(tx: Tx, today: string): Promise<Map<string, number>> {
  const count = sql<number>`count(distinct student_id)::int`
  const subscriptionCounts = await tx
    .select({ version_id: subscriptions.version_id, count })
    .from(subscriptions)
    .where(or(isNull(subscriptions.ends_on), gte(subscriptions.ends_on, today)))
    .groupBy(subscriptions.version_id)
  const packCounts = await tx
    .select({ version_id: studentPacks.version_id, count })
    .from(studentPacks)
    .where(or(isNull(studentPacks.expires_on), gte(studentPacks.expires_on, today)))
    .groupBy(studentPacks.version_id)
  return new Map(
    [...subscriptionCounts, ...packCounts].map(({ version_id, count: members }) => [
      version_id,
      members,
    ]),
  )
}

async function planById(tx: Tx, dojoId: string, id: string): Promise<Plan> {
  const plan = (await listPlans(tx, dojoId)).find((row) => row.id === id)
  if (!plan) throw notFound('Plan')
  return plan
}

/** The fields of a version: all of a plan's form but those of the plan itself. */
const termsOf = ({ terms = null, ...form }: PlanForm) => ({
  ...omit(form, ...PLAN_FIELDS),
  terms,
  terms_hash: terms === null ? null : createHash('sha256').update(terms).digest('hex'),
})

async function requireKnownClasses(tx: Tx, classIds: string[] | null): Promise<void> {
  if (classIds === null) return
  const unknownIds = await findUnknownClasses(tx, classIds)
  if (unknownIds.length > 0) throw invalid('class_ids', 'Class not found')
}

/** 409 if another plan that is sold has the name. Waits for others who name a plan just now. */
async function requireFreeName(
  tx: Tx,
  { dojoId }: Caller,
  { id, name }: { id: string | null; name: string },
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`plans ${dojoId}`}, 0))`)
  const namesakes = await tx.$count(
    plans,
    and(
      sql`lower(${plans.name}) = lower(${name})`,
      isNull(plans.retired_at),
      id === null ? undefined : ne(plans.id, id),
    ),
  )
  if (namesakes > 0) throw new Refusal(409, nameIsTaken(name))
}

export async function addPlan(tx: Tx, caller: Caller, form: PlanForm): Promise<{ plan: Plan }> {
  await requireKnownClasses(tx, form.class_ids)
  await requireFreeName(tx, caller, { id: null, name: form.name })
  const id = newId()
  const { description = null } = form
  await tx.insert(plans).values({ id, ...pick(form, ...PLAN_FIELDS), description })
  await addVersion(tx, caller, id, 1, form)
  await auditAction(tx, caller, 'plan added')
  return { plan: await planById(tx, caller.dojoId, id) }
}

const addVersion = async (tx: Tx, { dojoId }: Caller, planId: string, n: number, form: PlanForm) =>
  tx
    .insert(planVersions)
    .values({ ...termsOf(form), plan_id: planId, n, valid_from: await todayOf(tx, dojoId) })

async function lockPlan(tx: Tx, id: string): Promise<PlanRow> {
  const [row] = await tx.select().from(plans).where(eq(plans.id, id)).for('update')
  if (!row) throw notFound('Plan')
  return row
}

const newestVersionOf = async (tx: Tx, planId: string): Promise<VersionRow> => {
  const rows = await tx
    .select()
    .from(planVersions)
    .where(eq(planVersions.plan_id, planId))
    .orderBy(sql`${planVersions.n} desc`)
    .limit(1)
  return firstRow(rows)
}

/** Whether a student has, or ever had, a version or a pack of it, or members were told its price. */
async function isTaken(tx: Tx, versionIds: string[]): Promise<boolean> {
  const { rows } = await tx.execute<{ is_taken: boolean }>(sql`
    select exists (select from ${subscriptions}
        where ${subscriptions.version_id} = any(${sql.param(versionIds)}::uuid[]))
      or exists (select from ${studentPacks}
        where ${studentPacks.version_id} = any(${sql.param(versionIds)}::uuid[]))
      or exists (select from ${priceAnnouncements}
        where ${priceAnnouncements.version_id} = any(${sql.param(versionIds)}::uuid[])) as is_taken`)
  return firstRow(rows).is_taken
}

/** New terms of a plan that somebody has become a version of their own. A version whose price was
 *  announced never changes either, because members were told it. */
export async function changePlan(
  tx: Tx,
  caller: Caller,
  id: string,
  { revision, ...form }: PlanChange,
): Promise<{ plan: Plan; made_new_version: boolean }> {
  const row = await lockPlan(tx, id)
  if (revision !== undefined && revision !== row.revision) throw new Refusal(409, CHANGED_SINCE)
  const isRenamed = form.name.toLowerCase() !== row.name.toLowerCase()
  await requireKnownClasses(tx, form.class_ids)
  if (isRenamed && row.retired_at === null)
    await requireFreeName(tx, caller, { id, name: form.name })
  const isOtherKind = form.kind !== row.kind || form.is_add_on !== row.is_add_on
  const versionIds = tx
    .select({ id: planVersions.id })
    .from(planVersions)
    .where(eq(planVersions.plan_id, id))
  if (isOtherKind && (await isTaken(tx, pluck(await versionIds, 'id'))))
    throw new Refusal(409, KIND_IS_FIXED)
  const { description = null } = form
  await tx
    .update(plans)
    .set({ ...pick(form, ...PLAN_FIELDS), description, revision: row.revision + 1 })
    .where(eq(plans.id, id))
  const newestVersion = await newestVersionOf(tx, id)
  const isNew = await saveTerms(tx, caller, newestVersion, form)
  await auditAction(tx, caller, 'plan changed', { details: { new_version: isNew } })
  return { plan: await planById(tx, caller.dojoId, id), made_new_version: isNew }
}

async function saveTerms(
  tx: Tx,
  caller: Caller,
  version: VersionRow,
  form: PlanForm,
): Promise<boolean> {
  const newTerms = termsOf(form)
  const oldTerms: Record<string, unknown> = version
  const areSame = Object.entries(newTerms).every(
    ([field, value]) => JSON.stringify(value) === JSON.stringify(oldTerms[field]),
  )
  if (areSame) return false
  if (await isTaken(tx, [version.id])) {
    await addVersion(tx, caller, version.plan_id, version.n + 1, form)
    return true
  }
  await tx.update(planVersions).set(newTerms).where(eq(planVersions.id, version.id))
  return false
}

export async function retirePlan(tx: Tx, caller: Caller, id: string): Promise<{ plan: Plan }> {
  const { retired_at } = await lockPlan(tx, id)
  if (retired_at === null) {
    await tx.update(plans).set({ retired_at: nowIso() }).where(eq(plans.id, id))
    await auditAction(tx, caller, 'plan retired')
  }
  return { plan: await planById(tx, caller.dojoId, id) }
}

export async function restorePlan(tx: Tx, caller: Caller, id: string): Promise<{ plan: Plan }> {
  const { retired_at, name } = await lockPlan(tx, id)
  if (retired_at !== null) {
    await requireFreeName(tx, caller, { id, name })
    await tx.update(plans).set({ retired_at: null }).where(eq(plans.id, id))
    await auditAction(tx, caller, 'plan restored')
  }
  return { plan: await planById(tx, caller.dojoId, id) }
}

type AnnouncedPrice = {
  plan: Plan
  members: number
  /** True if members may have been told of another price that now never comes. */
  replacesPrice: boolean
}

/** Moves the members of earlier versions to the newest price on a day, of which they are told. */
export async function announcePrice(
  tx: Tx,
  caller: Caller,
  id: string,
  { effective_on }: PriceAnnouncement,
): Promise<AnnouncedPrice> {
  const { kind } = await lockPlan(tx, id)
  const today = await todayOf(tx, caller.dojoId)
  const { price_notice_days } = await readPlanRules(tx)
  if (effective_on <= today) throw invalid('effective_on', 'The day must be after today')
  if (effective_on < addDays(today, price_notice_days))
    throw invalid('effective_on', `Members must be told ${price_notice_days} days before`)
  const newestVersion = await newestVersionOf(tx, id)
  const members = isForVisits(kind) ? 0 : await countOtherMembers(tx, newestVersion, effective_on)
  if (members === 0) throw new Refusal(409, NOBODY_PAYS_LESS)
  const announcement = { plan_id: id, version_id: newestVersion.id, effective_on }
  if (await isAnnounced(tx, announcement))
    return { plan: await planById(tx, caller.dojoId, id), members, replacesPrice: false }
  // An announcement that has not taken effect is replaced, so that nobody is told two prices.
  const replacedRows = await tx
    .delete(priceAnnouncements)
    .where(and(eq(priceAnnouncements.plan_id, id), gte(priceAnnouncements.effective_on, today)))
    .returning({ id: priceAnnouncements.id })
  await tx.insert(priceAnnouncements).values({ ...announcement, created_by: caller.id })
  await auditAction(tx, caller, 'plan price announced', {
    details: { members, day: effective_on },
  })
  const plan = await planById(tx, caller.dojoId, id)
  return { plan, members, replacesPrice: replacedRows.length > 0 }
}

type Announcement = Pick<
  typeof priceAnnouncements.$inferSelect,
  'plan_id' | 'version_id' | 'effective_on'
>

/** True if this was announced already. Members are not told again. */
const isAnnounced = async (
  tx: Tx,
  { plan_id, version_id, effective_on }: Announcement,
): Promise<boolean> =>
  (await tx.$count(
    priceAnnouncements,
    and(
      eq(priceAnnouncements.plan_id, plan_id),
      eq(priceAnnouncements.version_id, version_id),
      eq(priceAnnouncements.effective_on, effective_on),
    ),
  )) > 0

const countOtherMembers = (tx: Tx, { id, plan_id }: VersionRow, day: string): Promise<number> =>
  tx.$count(
    subscriptions,
    and(
      eq(subscriptions.plan_id, plan_id),
      sql`${subscriptions.version_id} <> ${id}`,
      or(isNull(subscriptions.ends_on), gte(subscriptions.ends_on, day)),
    ),
  )
