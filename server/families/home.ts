import { toDollars, sumDollars } from '@tatami/contract/lib/money'
import { addDays, firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { Child, FamilyHome } from '@tatami/contract/families/family-home'
import { OWN_LOGIN_AGE } from '@tatami/contract/guardians/guardians'
import { DAY_MINUTES, daysText, parseMinutes, timeRange } from '@tatami/contract/classes/classes'
import { and, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import { attendance, unindexedClassDate } from '../attendance/tables.ts'
import { listClasses } from '../classes/classes.ts'
import { findNextClasses } from '../calendar/timetable/next-classes.ts'
import { readShownRanks } from '../belts/current-ranks.ts'
import { readPhotos } from '../pictures/pictures.ts'
import { equalsAny } from '../db/bulk.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { monthIn, todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound } from '../lib/refusal.ts'
import { debtsOf, NO_DEBT, owedCents } from '../dues/balances.ts'
import { isFromBank, readOnlineLines, sumOnlineCents } from '../dues/money-on-its-way.ts'
import { monthDues } from '../dues/month-dues.ts'
import { paymentRecords, isPaidRecord, recordsOf } from '../ledger/tables.ts'
import { enrollments, isCurrentStudent, students } from '../students/tables.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { findReplyPhone } from './reply-phone.ts'
import { findBeltProgress } from '../belts/belt-progress.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { type HiddenPhones, findHiddenPhones } from '../guardians/hidden-phones.ts'
import { pick, pluck } from '../lib/rows.ts'
import { guardianships } from '../guardians/tables.ts'

const ATTENDANCE_DAYS = 90

type ChildRow = typeof students.$inferSelect &
  Pick<
    typeof guardianships.$inferSelect,
    'relation' | 'sees_fees' | 'pays' | 'may_edit' | 'allows_log_in'
  >

/** Throws 404 if `childId` is not a child of the guardian. */
async function findChildren(tx: Tx, guardianId: string, childId: string | undefined) {
  const rows = await tx
    .select({
      ...getTableColumns(students),
      ...pick(guardianships, 'relation', 'sees_fees', 'pays', 'may_edit', 'allows_log_in'),
    })
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(
      and(
        eq(guardianships.guardian_id, guardianId),
        eq(guardianships.sees, true),
        isActiveLink,
        isCurrentStudent,
        childId ? eq(guardianships.student_id, childId) : undefined,
      ),
    )
    .orderBy(...byName(students))
  if (childId && rows.length === 0) throw notFound('Student')
  return rows
}

export async function readFamilyHome(
  tx: Tx,
  { id, dojoId }: Pick<DojoCaller, 'id' | 'dojoId'>,
  childId?: string,
): Promise<FamilyHome> {
  const { time_zone } = await dojoById(tx, dojoId)
  const today = todayIn(time_zone)
  const month = monthIn(time_zone)
  const rows = await findChildren(tx, id, childId)
  const data = await readChildData(tx, { id, dojoId }, rows, today, month)
  const children = rows.map((row) => toChild(row, data, today))
  return {
    today,
    ...month,
    children: sortByClassToday(children, today),
    total: sumOwnFees(children),
    former: childId ? [] : await findFormerChildren(tx, dojoId, id),
    reply_phone: await findReplyPhone(tx, id),
  }
}

type ChildData = Awaited<ReturnType<typeof readChildData>>

/** Each value is a map by the child's id. */
async function readChildData(
  tx: Tx,
  { id, dojoId }: Pick<DojoCaller, 'id' | 'dojoId'>,
  rows: ChildRow[],
  today: string,
  month: Month,
) {
  const ids = pluck(rows, 'id')
  const idsWithVisibleFees = rows.filter(({ sees_fees }) => sees_fees).map((row) => row.id)
  return {
    classes: await findClassesByStudent(tx, ids),
    nextClasses: await findNextClasses(tx, dojoId, ids),
    marks: await countMarks(tx, ids, today),
    beltProgress: await findBeltProgress(tx, ids),
    ranks: await readShownRanks(tx, ids),
    photos: await readPhotos(tx, ids),
    dues: await monthDues(tx, dojoId, month, ids),
    hiddenPhones: await findHiddenPhones(tx, id, ids),
    paidMonths: await findPaidMonths(tx, idsWithVisibleFees, month),
    debts: await debtsOf(tx, dojoId, idsWithVisibleFees),
    onlineLines: (await readOnlineLines(tx, idsWithVisibleFees)).filter(isFromBank),
  }
}

function toChild(row: ChildRow, data: ChildData, today: string): Child {
  const { id } = row
  const classes = data.classes.get(id) ?? []
  const nextClass = row.on_vacation ? undefined : data.nextClasses.get(id)?.[0]
  const isOldEnough = hasReachedAge(row.date_of_birth, OWN_LOGIN_AGE, today, { unknown: true })
  return {
    ...pick(row, 'id', 'name', 'belt_level'),
    photo: data.photos.get(id) ?? null,
    rank: data.ranks.get(id) ?? null,
    belt_progress: data.beltProgress.get(id) ?? null,
    ...pick(row, 'is_trial', 'on_vacation', 'awaits_approval', 'relation'),
    classes: classes.map((dojoClass) => ({
      class_id: dojoClass.id,
      class_name: dojoClass.class_name,
      days: daysText(dojoClass),
      time: timeRange(dojoClass),
    })),
    next_class: nextClass
      ? {
          ...pick(nextClass, 'class_id', 'class_name'),
          class_date: nextClass.day,
          class_time: nextClass.time,
        }
      : null,
    attendance: data.marks.get(id) ?? NO_MARKS,
    fees: row.sees_fees ? toFees(row, data) : null,
    may_edit: row.may_edit,
    contact: row.may_edit ? toVisibleContact(row, data.hiddenPhones.get(id)) : null,
    has_log_in: row.email !== null,
    allows_log_in: isOldEnough ? null : row.allows_log_in,
  }
}

/** Finds children who left, so that the page can say why it does not show them. */
async function findFormerChildren(
  tx: Tx,
  dojoId: string,
  guardianId: string,
): Promise<FamilyHome['former']> {
  const rows = await tx
    .select({
      ...pick(students, 'id', 'name'),
      left_on: sql<string>`${students.left_on}`,
      sees_fees: guardianships.sees_fees,
    })
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(
      and(
        eq(guardianships.guardian_id, guardianId),
        eq(guardianships.sees, true),
        isActiveLink,
        isNotNull(students.left_on),
      ),
    )
    .orderBy(...byName(students))
  if (rows.length === 0) return []
  const debts = await debtsOf(tx, dojoId, pluck(rows, 'id'))
  return rows.map(({ id, sees_fees, ...child }) => ({
    ...child,
    owed: sees_fees ? toDollars(owedCents(debts.get(id) ?? NO_DEBT)) : null,
  }))
}

const toVisibleContact = (child: ChildRow, hiddenPhones: HiddenPhones | undefined) => ({
  phone_number: hiddenPhones?.phone_number ? null : child.phone_number,
  emergency_contact_name: hiddenPhones?.emergency_contact ? null : child.emergency_contact_name,
  emergency_contact_phone: hiddenPhones?.emergency_contact ? null : child.emergency_contact_phone,
})

async function findClassesByStudent(tx: Tx, ids: string[]) {
  const enrollmentRows = await tx
    .select(pick(enrollments, 'student_id', 'class_id'))
    .from(enrollments)
    .where(equalsAny(enrollments.student_id, ids))
  const classes = enrollmentRows.length > 0 ? await listClasses(tx) : []
  const enrollmentsByStudent = Map.groupBy(enrollmentRows, ({ student_id }) => student_id)
  const findClasses = (id: string) => {
    const classIds = pluck(enrollmentsByStudent.get(id) ?? [], 'class_id')
    return classes.filter((dojoClass) => classIds.includes(dojoClass.id))
  }
  return new Map(ids.map((id) => [id, findClasses(id)]))
}

const NO_MARKS = {
  present_this_month: 0,
  absent_this_month: 0,
  present_90_days: 0,
  marks_90_days: 0,
}

async function countMarks(tx: Tx, ids: string[], today: string) {
  const firstDay = addDays(today, -ATTENDANCE_DAYS)
  const firstOfMonth = firstDayOf(monthOfDate(today))
  const countIf = (condition: ReturnType<typeof sql>) =>
    sql<number>`count(*) filter (where ${condition})::int`
  const isThisMonth = sql`${attendance.class_date} >= ${firstOfMonth}`
  const rows = await tx
    .select({
      student_id: attendance.student_id,
      present_this_month: countIf(sql`${isThisMonth} and ${attendance.present}`),
      absent_this_month: countIf(sql`${isThisMonth} and not ${attendance.present}`),
      present_90_days: countIf(sql`${attendance.present}`),
      marks_90_days: countIf(sql`true`),
    })
    .from(attendance)
    .where(
      and(equalsAny(attendance.student_id, ids), sql`${unindexedClassDate} > ${firstDay}::date`),
    )
    .groupBy(attendance.student_id)
  return new Map(rows.map(({ student_id, ...marks }) => [student_id, marks]))
}

type PaidMonth = { amount: number; reason: string | null }

async function findPaidMonths(
  tx: Tx,
  ids: string[],
  month: Month,
): Promise<Map<string, PaidMonth>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({
      student_id: paymentRecords.student_id,
      amount: paymentRecords.amount,
      reason: paymentRecords.price_reason,
    })
    .from(paymentRecords)
    .where(and(recordsOf(month), isPaidRecord, equalsAny(paymentRecords.student_id, ids)))
  return new Map(rows.map(({ student_id, ...record }) => [student_id, record]))
}

function toFees(
  { id, monthly_payment_amount, pays }: ChildRow,
  { paidMonths, dues, debts, onlineLines }: ChildData,
): NonNullable<Child['fees']> {
  const paidMonth = paidMonths.get(id)
  const due = dues.get(id)
  const debt = debts.get(id) ?? NO_DEBT
  const onItsWayCents = sumOnlineCents(onlineLines.filter(({ student_id }) => student_id === id))
  const unpaidReason = due?.reason ?? null
  const priceReason = paidMonth ? paidMonth.reason : unpaidReason
  return {
    monthly_payment_amount,
    // The reason reveals the number of siblings, which only the payer should know.
    price_reason: pays ? priceReason : null,
    is_paid: paidMonth !== undefined,
    paid: paidMonth?.amount ?? toDollars(due?.received ?? 0),
    month_price: paidMonth?.amount ?? toDollars(due?.cost ?? 0),
    owed: toDollars(owedCents(debt)),
    on_its_way: toDollars(Math.min(onItsWayCents, owedCents(debt))),
    charges: debt.charges.map((charge) => ({
      ...pick(charge, 'kind', 'month', 'year'),
      owed: toDollars(charge.owed),
    })),
    credit: toDollars(debt.credit),
    pays,
  }
}

function sumOwnFees(children: Child[]): FamilyHome['total'] {
  const ownFees = children.flatMap(({ fees }) => (fees?.pays ? [fees] : []))
  if (ownFees.length === 0) return null
  return {
    paid: sumDollars(pluck(ownFees, 'paid')),
    owed: sumDollars(pluck(ownFees, 'owed')),
    on_its_way: sumDollars(pluck(ownFees, 'on_its_way')),
  }
}

/** In minutes. It sorts after all times of a day. */
const NO_CLASS_TODAY = 2 * DAY_MINUTES

function sortByClassToday(children: Child[], today: string): Child[] {
  const getClassMinutes = ({ next_class }: Child) =>
    next_class?.class_date === today ? parseStartMinutes(next_class.class_time) : NO_CLASS_TODAY
  return children.toSorted((first, second) => getClassMinutes(first) - getClassMinutes(second))
}

/** Returns the start of "4:00 PM - 5:00 PM" in minutes. Classes without a time come last. */
const parseStartMinutes = (time: string): number =>
  parseMinutes(time.replace(/ - .*/, '')) ?? DAY_MINUTES
