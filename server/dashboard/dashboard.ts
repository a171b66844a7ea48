import type { Birthday, DashboardStats } from '@tatami/contract/dashboard'
import { asc, count, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { students } from '../students/tables.ts'

/** Regular are those not on trial, on vacation or not (product.md, section 9). */
export async function dashboardStats(tx: Tx): Promise<DashboardStats> {
  const [n] = await tx
    .select({
      total_students: count(),
      regular_students: count(sql`case when not ${students.is_trial} then 1 end`),
      trial_students: count(sql`case when ${students.is_trial} then 1 end`),
      vacation_students: count(sql`case when ${students.on_vacation} then 1 end`),
    })
    .from(students)
  return n!
}

export const birthdays = (tx: Tx) =>
  tx
    .select({ student_id: students.id, student_name: students.name, date_of_birth: students.date_of_birth })
    .from(students)
    .where(isNotNull(students.date_of_birth))
    .orderBy(asc(students.name)) as Promise<(Birthday & { student_id: string })[]>
