import { toCents } from '@tatami/contract/lib/money'
import {
  type EntryHistory,
  type EntryPack,
  type EntrySubscription,
  firstDayToReplay,
} from '@tatami/contract/plans/entries'
import { type EntryNotice, noticeOfEntry } from '@tatami/contract/plans/entry-words'
import { endAfterHolds } from '@tatami/contract/plans/billed-holds'
import { and, asc, desc, eq, gte } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { acrossClasses, type Tx } from '../db/database.ts'
import { pick, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { isPackSold } from './pack-sales.ts'
import { readPlanRules } from './plans.ts'
import { readAnchor } from './read-billing.ts'
import { holds, planVersions, studentPacks, subscriptions } from './tables.ts'

type PlansAndPacks = Omit<EntryHistory, 'marks'>

/** What students bought and how often they came, as far as it matters for a day. Students without
 *  plans and packs are left out. */
export async function readEntryHistories(
  tx: Tx,
  studentIds: string[],
  day: string,
): Promise<Map<string, EntryHistory>> {
  if (studentIds.length === 0) return new Map()
  const subscriptionRows = await findEntrySubscriptions(tx, studentIds)
  const packsByStudent = await findEntryPacks(tx, studentIds)
  const ids = [...new Set([...pluck(subscriptionRows, 'student_id'), ...packsByStudent.keys()])]
  if (ids.length === 0) return new Map()
  const { week_begins_on } = await readPlanRules(tx)
  const holdsByStudent = await findHolds(tx, ids)
  const feeByStudent = await findFees(tx, ids)
  const histories = new Map<string, PlansAndPacks>()
  for (const id of ids) {
    const holdRows = holdsByStudent.get(id) ?? []
    const ownRows = subscriptionRows.filter(({ student_id }) => student_id === id)
    const planRows = ownRows.map((row) => toEntrySubscription(row, holdRows))
    const hasBasePlan = ownRows.some(
      ({ is_add_on }, index) => !is_add_on && isInForce(planRows[index], day),
    )
    histories.set(id, {
      week_begins_on,
      pays_monthly_fee: !hasBasePlan && toCents(feeByStudent.get(id) ?? 0) > 0,
      subscriptions: planRows,
      packs: packsByStudent.get(id) ?? [],
      holds: holdRows.map(({ subscription_id, starts_on, ends_on }) => ({
        ...{ subscription_id, from: starts_on, until: ends_on },
      })),
    })
  }
  return withMarks(tx, histories, day)
}

const isInForce = (subscription: EntrySubscription | undefined, day: string): boolean =>
  subscription !== undefined &&
  subscription.starts_on <= day &&
  (subscription.ends_on === null || day <= subscription.ends_on)

/** Add-ons come first: they are for few classes, so they are used before the plan for all. */
const findEntrySubscriptions = (tx: Tx, studentIds: string[]) =>
  tx
    .select({
      ...pick(subscriptions, 'id', 'student_id', 'starts_on', 'ends_on', 'billing_day'),
      ...pick(subscriptions, 'first_period', 'is_add_on', 'cancelled_at'),
      ...pick(subscriptions, 'billing_month', 'billing_date'),
      ...pick(planVersions, 'cycle_unit', 'cycle_count', 'class_ids'),
      ...pick(planVersions, 'entry_limit', 'entry_limit_per'),
    })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.version_id))
    .where(equalsAny(subscriptions.student_id, studentIds))
    .orderBy(desc(subscriptions.is_add_on), asc(subscriptions.starts_on), asc(subscriptions.id))

type SubscriptionRow = Awaited<ReturnType<typeof findEntrySubscriptions>>[number]
type HoldRow = typeof holds.$inferSelect

function toEntrySubscription(row: SubscriptionRow, holdRows: readonly HoldRow[]) {
  // An end that was asked for is final, so holds do not move it.
  const movingHolds = holdRows.filter(
    ({ subscription_id, moves_end }) =>
      moves_end &&
      row.cancelled_at === null &&
      (subscription_id === null || subscription_id === row.id),
  )
  const lastDay = endAfterHolds({
    ...pick(row, 'starts_on', 'ends_on'),
    holds: movingHolds.map(({ starts_on, ends_on, moves_end }) => ({
      ...{ from: starts_on, until: ends_on, moves_end },
    })),
  })
  return {
    ...pick(row, 'id', 'starts_on', 'billing_day', 'first_period', 'class_ids'),
    ...pick(row, 'entry_limit', 'entry_limit_per'),
    ends_on: lastDay,
    anchor: readAnchor(row),
    cycle: { unit: row.cycle_unit, count: row.cycle_count },
  }
}

async function findEntryPacks(tx: Tx, studentIds: string[]): Promise<Map<string, EntryPack[]>> {
  const rows = await tx
    .select({
      ...pick(studentPacks, 'id', 'student_id', 'bought_on', 'expires_on', 'visits'),
      class_ids: planVersions.class_ids,
    })
    .from(studentPacks)
    .innerJoin(planVersions, eq(planVersions.id, studentPacks.version_id))
    .where(and(equalsAny(studentPacks.student_id, studentIds), isPackSold))
  return Map.groupBy(rows, ({ student_id }) => student_id)
}

async function findHolds(tx: Tx, studentIds: string[]): Promise<Map<string, HoldRow[]>> {
  const rows = await tx
    .select()
    .from(holds)
    .where(equalsAny(holds.student_id, studentIds))
    .orderBy(asc(holds.starts_on), asc(holds.id))
  return Map.groupBy(rows, ({ student_id }) => student_id)
}

async function findFees(tx: Tx, studentIds: string[]): Promise<Map<string, number | null>> {
  const rows = await tx
    .select(pick(students, 'id', 'monthly_payment_amount'))
    .from(students)
    .where(equalsAny(students.id, studentIds))
  return new Map(rows.map(({ id, monthly_payment_amount }) => [id, monthly_payment_amount]))
}

const countsMarks = ({ packs, subscriptions: planRows }: PlansAndPacks): boolean =>
  packs.length > 0 || planRows.some(({ entry_limit }) => entry_limit !== null)

/** Students whose plans have no limits need no marks. */
async function withMarks(
  tx: Tx,
  histories: ReadonlyMap<string, PlansAndPacks>,
  day: string,
): Promise<Map<string, EntryHistory>> {
  const firstDays = new Map(
    [...histories]
      .filter(([, history]) => countsMarks(history))
      .map(([id, history]) => [id, firstDayToReplay(history, day)]),
  )
  const earliestDay = [...firstDays.values()].toSorted()[0]
  // A limit counts the visits of all classes, even if the caller sees only some.
  const rows = earliestDay
    ? await acrossClasses(tx, () => findMarks(tx, [...firstDays.keys()], earliestDay))
    : []
  const marksByStudent = Map.groupBy(rows, ({ student_id }) => student_id)
  return new Map(
    [...histories].map(([id, history]) => {
      const marks = (marksByStudent.get(id) ?? []).filter(
        (mark) => mark.day >= (firstDays.get(id) ?? day),
      )
      return [id, { ...history, marks }]
    }),
  )
}

const findMarks = (tx: Tx, studentIds: string[], firstDay: string) =>
  tx
    .select({ ...pick(attendance, 'student_id', 'class_id'), day: attendance.class_date })
    .from(attendance)
    .where(
      and(
        equalsAny(attendance.student_id, studentIds),
        gte(attendance.class_date, firstDay),
        eq(attendance.present, true),
      ),
    )
    .orderBy(asc(attendance.class_date), asc(attendance.created_at), asc(attendance.id))

type ClassDay = { class_id: string; day: string }

/** What the roll and the kiosk say about students, by id. Most students have nothing to say. */
export async function readEntryNotices(
  tx: Tx,
  entries: readonly (ClassDay & { student_id: string })[],
  today: string,
): Promise<Map<string, EntryNotice>> {
  const [firstEntry] = entries
  if (!firstEntry) return new Map()
  const histories = await readEntryHistories(tx, pluck(entries, 'student_id'), firstEntry.day)
  const notices = new Map<string, EntryNotice>()
  for (const { student_id, class_id, day } of entries) {
    const history = histories.get(student_id)
    const notice = history && noticeOfEntry(history, { class_id, day }, today)
    if (notice) notices.set(student_id, notice)
  }
  return notices
}

type Attendee = { student_id: string; kioskClass: { id: string } }

export const entriesOf = (attendees: readonly Attendee[], day: string) =>
  attendees.map(({ student_id, kioskClass }) => ({ student_id, class_id: kioskClass.id, day }))
