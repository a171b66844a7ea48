import { firstDayOf, lastDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { enrolledOn, pastVacationsOf, students } from '../students/tables.ts'
import { firstDayBack, firstPayingDay, vacationsOf, type Vacations } from './who-pays.ts'

type StudentMonth = Month & { student_id: string }
type PayerDays = Vacations & {
  id: string
  /** The days on which they joined, and on which a trial or the wait for approval ended. */
  enrolled_on: string
  pays_since: string | null
}

/**
 * The day since when a student owes a month, and after which they are late: its first, or the day in it on
 * which they joined, their trial ended, or they came back from a vacation over that day. At the latest its last.
 */
function dueDay(month: Month, days: PayerDays): string {
  const last = lastDayOf(month)
  const back = firstDayBack(firstPayingDay(month, days), vacationsOf(days))
  return back !== null && back < last ? back : last
}

/** The same of several students' months. */
export async function dueDaysOf(
  tx: Tx,
  months: readonly StudentMonth[],
): Promise<(month: StudentMonth) => string> {
  if (months.length === 0) return firstDayOf
  const ids = [...new Set(months.map(({ student_id }) => student_id))]
  const { rows } = await tx.execute<PayerDays>(sql`
    select ${students.id}, ${enrolledOn}::text as enrolled_on, ${students.pays_since}::text, ${students.on_vacation},
      ${students.vacation_from}::text, ${students.vacation_until}::text, ${pastVacationsOf(sql`students`)} as past_vacations
    from ${students} where ${students.id} = any(${sql.param(ids)}::uuid[])`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (month) => {
    const days = byId.get(month.student_id)
    return days ? dueDay(month, days) : firstDayOf(month)
  }
}
