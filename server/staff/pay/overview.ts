import { sumDollars } from '@tatami/contract/lib/money'
import type { PaidPerson, PayOverview, PayOverviewQuery } from '@tatami/contract/staff/pay'
import { and, isNull, lte } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { todayIn } from '../../dojos/calendar.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { firstRow, groupRows, pluck } from '../../lib/rows.ts'
import { readEntries, readTimeZone } from '../hours/entries.ts'
import { mayApproveHoursOf } from '../hours/hours.ts'
import { readShifts } from '../hours/shifts.ts'
import { staffHours } from '../hours/tables.ts'
import type { PeriodLine } from './pay-lines.ts'
import { nextFirstDay, readPeriod } from './periods.ts'

const MAX_UNAPPROVED = 500

/** Only staff who see the whole school have the right to call this. */
export async function readOverview(
  tx: Tx,
  caller: DojoCaller,
  query: PayOverviewQuery,
): Promise<PayOverview> {
  const timeZone = await readTimeZone(tx, caller.dojoId)
  const { days, lines, closedPeriod, periods } = await readPeriod(tx, caller.dojoId, query)
  const isUnapproved = and(isNull(staffHours.approved_at), lte(staffHours.day, days.until))
  const unapprovedEntries = await readEntries(tx, timeZone, isUnapproved, MAX_UNAPPROVED)
  return {
    today: todayIn(timeZone),
    ...days,
    closed_period: closedPeriod,
    next_from: nextFirstDay(periods),
    people: sumByPerson(lines),
    lines,
    total: { minutes: sumMinutes(lines), pay: sumDollars(pluck(lines, 'pay')) },
    unapproved: unapprovedEntries.map((entry) => ({
      ...entry,
      may_approve: mayApproveHoursOf(caller, entry.person_id),
    })),
    shifts: (await readShifts(tx, timeZone)).filter(({ needs_times }) => needs_times),
    periods,
  }
}

const sumMinutes = (lines: readonly PeriodLine[]): number =>
  lines.reduce((sum, { minutes }) => sum + minutes, 0)

function sumByPerson(lines: readonly PeriodLine[]): PaidPerson[] {
  const linesByPerson = groupRows(lines, ({ person_id }) => person_id)
  const people = [...linesByPerson].map(([id, personLines]) => ({
    id,
    name: firstRow(personLines).person_name,
    minutes: sumMinutes(personLines),
    pay: sumDollars(pluck(personLines, 'pay')),
    without_rate: personLines.filter(({ rate, minutes }) => rate === null && minutes > 0).length,
  }))
  return people.toSorted((first, second) => first.name.localeCompare(second.name, 'en'))
}
