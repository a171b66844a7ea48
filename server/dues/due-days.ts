import { firstDayOf, lastDayOf, type Month, addDays } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import { pastVacations, students } from '../students/tables.ts'

type StudentMonth = Month & { student_id: string }
type Days = { from: string; until: string | null }
type PayerDays = {
  id: string
  /** The days on which they joined, and on which a trial or the wait for approval ended. */
  enrolled_on: string
  pays_since: string | null
  vacations: Days[] | null
}

/**
 * The day since when a student owes a month, and after which they are late: its first, or the day in it on
 * which they joined, their trial ended, or they came back from a vacation over that day. At the latest its last.
 */
function dueDay(month: Month, { enrolled_on, pays_since, vacations }: PayerDays): string {
  const last = lastDayOf(month)
  let due = firstDayOf(month)
  for (const day of [enrolled_on, pays_since])
    if (day !== null && day > due && day <= last) due = day
  for (const { from, until } of vacations ?? []) {
    if (from > due || (until !== null && until < due)) continue
    if (until === null) return last
    due = addDays(until, 1)
  }
  return due < last ? due : last
}

/** The same of several students' months. */
export async function dueDaysOf(
  tx: Tx,
  months: readonly StudentMonth[],
): Promise<(month: StudentMonth) => string> {
  if (months.length === 0) return firstDayOf
  const ids = [...new Set(months.map(({ student_id }) => student_id))]
  const [firstDay] = months.map(firstDayOf).toSorted()
  const { rows } = await tx.execute<PayerDays>(sql`
    select s.id, (s.created_at at time zone (select d.time_zone from ${dojos} d where d.id = s.dojo_id))::date::text as enrolled_on,
      s.pays_since::text, (
        select json_agg(json_build_object('from', v.vacation_from, 'until', v.vacation_until) order by v.vacation_from)
        from (
          select p.vacation_from, p.vacation_until from ${pastVacations} p
            where p.student_id = s.id and p.vacation_until >= ${firstDay}::date
          union all select coalesce(s.vacation_from, '-infinity'), s.vacation_until
            where s.vacation_from is not null or s.on_vacation
        ) v
      ) as vacations
    from ${students} s where s.id = any(${sql.param(ids)}::uuid[])`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (month) => {
    const days = byId.get(month.student_id)
    return days ? dueDay(month, days) : firstDayOf(month)
  }
}
