import { firstDayOf } from '@tatami/contract/lib/calendar-day'
import type { DashboardStats } from '@tatami/contract/dashboard/dashboard'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { monthIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { firstRow } from '../lib/rows.ts'
import { isCurrentStudent, pastVacations, students } from '../students/tables.ts'
import { readMovements, wasAway } from './retention.ts'

/** Computes how the numbers of students changed since the month began, in the dojo's time zone.
 *  Deleted students count as regular, because their status is not kept. */
export async function readChangesThisMonth(
  tx: Tx,
  dojoId: string,
): Promise<DashboardStats['changes']> {
  const { time_zone } = await dojoById(tx, dojoId)
  const firstDay = firstDayOf(monthIn(time_zone))
  const [movements] = await readMovements(tx, [firstDay], time_zone)
  const { trials, trials_before, vacations, vacations_before } = await countTrialsAndVacations(
    tx,
    firstDay,
    time_zone,
  )
  const total = movements ? movements.enrolled - movements.departed : 0
  const trial = trials - trials_before
  return { total, regular: total - trial, trial, vacation: vacations - vacations_before }
}

type MonthCounts = Record<'trials' | 'trials_before' | 'vacations' | 'vacations_before', number>

async function countTrialsAndVacations(
  tx: Tx,
  firstDay: string,
  timeZone: string,
): Promise<MonthCounts> {
  const wasAwayOnFirstDay = sql`coalesce(
    ${wasAway} and ${students.returned_on} >= ${firstDay}, false)`
  const wasEnrolled = sql`(coalesce(${students.joined_on},
    ${students.created_at} at time zone ${timeZone}) < ${firstDay}::date
    and not ${wasAwayOnFirstDay})`
  // A return also sets `pays_since`, but does not end a trial.
  const endedTrial = sql`(${students.pays_since} >= ${firstDay}
    and ${students.pays_since} is distinct from ${students.returned_on})`
  const wasOnTrial = sql`(${students.is_trial} or coalesce(${endedTrial}, false))`
  const isStillOnVacation = sql`${students.on_vacation}
    and coalesce(${students.vacation_from} < ${firstDay}, true)`
  const wasOnVacation = sql`exists (select from ${pastVacations} past_vacation
    where past_vacation.dojo_id = ${students.dojo_id} and past_vacation.student_id = ${students.id}
      and past_vacation.vacation_from < ${firstDay}
      and past_vacation.vacation_until >= ${firstDay}::date - 1)`
  const { rows } = await tx.execute<MonthCounts>(sql`
    select count(*) filter (where ${isCurrentStudent} and ${students.is_trial})::int as trials,
      count(*) filter (where ${wasEnrolled} and ${wasOnTrial})::int as trials_before,
      count(*) filter (where ${isCurrentStudent} and ${students.on_vacation})::int as vacations,
      count(*) filter (where ${isStillOnVacation} or ${wasOnVacation})::int as vacations_before
    from ${students}
    where ${isCurrentStudent} or ${students.left_on} >= ${firstDay}`)
  return firstRow(rows)
}
