import {
  addDays,
  daysBetween,
  firstDayOf,
  lastDayOf,
  monthOfDate,
} from '@tatami/contract/lib/calendar-day'
import {
  MAX_PERIOD_DAYS,
  type PayOverviewQuery,
  type PayPeriod,
  type PeriodForm,
} from '@tatami/contract/staff/pay'
import { asc, desc, eq } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import { inChunks } from '../../db/bulk.ts'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import { dojos } from '../../dojos/tables.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { nowIso } from '../../lib/clock.ts'
import { formatFullDate } from '../../lib/format-day.ts'
import { invalid, notFound, Refusal } from '../../lib/refusal.ts'
import { firstRow, pick } from '../../lib/rows.ts'
import { instructors } from '../../sensei/tables.ts'
import { staffHours } from '../hours/tables.ts'
import { computeLines, type PeriodDays, type PeriodLine, readStoredLines } from './pay-lines.ts'
import { payLines, payPeriods } from './tables.ts'

/** Newest first. */
export async function readPeriods(tx: Tx): Promise<PayPeriod[]> {
  return tx
    .select({
      ...pick(payPeriods, 'id', 'closed_at'),
      from: payPeriods.first_day,
      until: payPeriods.last_day,
      closed_by: instructors.name,
    })
    .from(payPeriods)
    .leftJoin(instructors, eq(instructors.id, payPeriods.closed_by))
    .orderBy(desc(payPeriods.first_day))
}

/** The day after the last closed period, or null if there is none. */
export const nextFirstDay = ([lastPeriod]: readonly PayPeriod[]): string | null =>
  lastPeriod ? addDays(lastPeriod.until, 1) : null

export type PeriodWithLines = {
  days: PeriodDays
  lines: PeriodLine[]
  closedPeriod: PayPeriod | null
  periods: PayPeriod[]
}

/** Reads a closed period, or the next one, which by default ends with the month. */
export async function readPeriod(
  tx: Tx,
  dojoId: string,
  { period_id, from, until }: PayOverviewQuery,
): Promise<PeriodWithLines> {
  const periods = await readPeriods(tx)
  if (period_id !== undefined) {
    const closedPeriod = periods.find(({ id }) => id === period_id)
    if (!closedPeriod) throw notFound('Period')
    const lines = await readStoredLines(tx, period_id)
    return { days: pick(closedPeriod, 'from', 'until'), lines, closedPeriod, periods }
  }
  const firstDay = nextFirstDay(periods) ?? from ?? (await findDefaultFirstDay(tx, dojoId))
  // An old link may contain days of a period that is closed by now.
  const isOpenDay = until !== undefined && until >= firstDay
  const days = { from: firstDay, until: isOpenDay ? until : lastDayOf(monthOfDate(firstDay)) }
  requireValidLength(days)
  const lines = await computeLines(tx, days, firstPaidDay(periods, days))
  return { days, lines, closedPeriod: null, periods }
}

const firstPaidDay = (periods: readonly PayPeriod[], { from }: PeriodDays): string =>
  periods.at(-1)?.from ?? from

/** Finds the day of the first hours, or else the first day of this month. */
async function findDefaultFirstDay(tx: Tx, dojoId: string): Promise<string> {
  const [firstEntry] = await tx
    .select({ day: staffHours.day })
    .from(staffHours)
    .orderBy(asc(staffHours.day))
    .limit(1)
  return firstEntry?.day ?? firstDayOf(monthOfDate(await todayOf(tx, dojoId)))
}

function requireValidLength({ from, until }: PeriodDays): void {
  if (until < from) throw invalid('until', `The period begins on ${formatFullDate(from)}`)
  if (daysBetween(from, until) >= MAX_PERIOD_DAYS)
    throw invalid('until', `A period can have at most ${MAX_PERIOD_DAYS} days`)
}

export async function closePeriod(
  tx: Tx,
  caller: DojoCaller,
  days: PeriodForm,
): Promise<{ period: PayPeriod }> {
  await lockPeriods(tx, caller.dojoId)
  const periods = await readPeriods(tx)
  requireValidLength(days)
  const nextDay = nextFirstDay(periods)
  if (nextDay !== null && days.from !== nextDay)
    throw new Refusal(409, `The next period begins on ${formatFullDate(nextDay)}.`)
  if (days.until > (await todayOf(tx, caller.dojoId)))
    throw new Refusal(409, 'This period is not over yet.')
  const lines = await computeLines(tx, days, firstPaidDay(periods, days))
  const id = newId()
  const columns = { first_day: days.from, last_day: days.until, closed_by: caller.id }
  await tx.insert(payPeriods).values({ id, ...columns, closed_at: nowIso() })
  const rows = lines.map(({ person_name: _, ...line }) => ({ period_id: id, ...line }))
  await inChunks(rows, (chunk) => tx.insert(payLines).values(chunk))
  await auditAction(tx, caller, 'pay period closed', {
    details: { first_day: days.from, last_day: days.until },
  })
  return { period: firstRow(await readPeriods(tx)) }
}

/** Prevents two people from closing a period at the same time. */
const lockPeriods = (tx: Tx, dojoId: string) =>
  tx.select({ id: dojos.id }).from(dojos).where(eq(dojos.id, dojoId)).for('no key update')
