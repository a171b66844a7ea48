import {
  type Birthday,
  groupBirthdaysByDay,
  type DashboardStats,
} from '@tatami/contract/dashboard/dashboard'
import { and, asc, count, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { readDueSteps } from '../followups/followups.ts'
import { readDueLeads } from '../leads/leads.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { firstRow } from '../lib/rows.ts'
import { needsReview } from '../online-payment/online-payment.ts'
import { onlinePayments } from '../online-payment/tables.ts'
import { birthday, isCurrentStudent, students } from '../students/tables.ts'
import { readChangesThisMonth } from './changes-this-month.ts'

export async function readDashboardStats(
  tx: Tx,
  dojoId: string,
): Promise<Omit<DashboardStats, 'setup'>> {
  const rows = await tx
    .select({
      total_students: count(),
      regular_students: count(sql`case when not ${students.is_trial} then 1 end`),
      trial_students: count(sql`case when ${students.is_trial} then 1 end`),
      vacation_students: count(sql`case when ${students.on_vacation} then 1 end`),
      students_to_approve: count(sql`case when ${students.awaits_approval} then 1 end`),
    })
    .from(students)
    .where(isCurrentStudent)
  const payments_to_review = await tx.$count(onlinePayments, needsReview(sql`online_payments`))
  const today = await todayOf(tx, dojoId)
  return {
    ...firstRow(rows),
    payments_to_review,
    due_followups: await readDueSteps(tx, today),
    due_leads: await readDueLeads(tx, today),
    changes: await readChangesThisMonth(tx, dojoId),
  }
}

export const listBirthdays = (tx: Tx): Promise<Birthday[]> =>
  tx
    .select({
      student_id: students.id,
      student_name: students.name,
      date_of_birth: sql<string>`${students.date_of_birth}`,
    })
    .from(students)
    .where(and(isNotNull(students.date_of_birth), isCurrentStudent))
    .orderBy(asc(students.name))

const FEBRUARY_28 = 228
const FEBRUARY_29 = 229

export function findDojosWithBirthdays(today: string): SQL {
  // The month and day as one number, as in the index: 301 is March 1.
  const birthdayToday = Number(today.slice(5).replace('-', ''))
  const isFebruary28 = birthdayToday === FEBRUARY_28
  const birthdays = sql.param(isFebruary28 ? [FEBRUARY_28, FEBRUARY_29] : [birthdayToday])
  return sql`select dojo_id from ${students} where ${birthday} = any(${birthdays})
    and left_on is null`
}

export async function notifyBirthdays(tx: Tx, dojoId: string, today: string): Promise<void> {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const birthdays = groupBirthdaysByDay(year, month - 1, await listBirthdays(tx))
  for (const { student_id, student_name } of birthdays.get(day) ?? [])
    await notifyStaff(tx, dojoId, 'students.read', {
      title: 'A birthday today',
      message: student_name,
      student_id,
    })
}
