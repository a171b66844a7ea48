import type { Holiday, HolidayForm } from '@tatami/contract/calendar/class-dates'
import { eq } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import { recheckTrials } from '../../classes/recheck-trials.ts'
import type { Tx } from '../../db/database.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { notFound } from '../../lib/refusal.ts'
import { holidays } from '../timetable/tables.ts'
import { firstRow, pick } from '../../lib/rows.ts'

const columns = pick(holidays, 'id', 'name', 'first_day', 'last_day')

export async function addHoliday(tx: Tx, caller: DojoCaller, form: HolidayForm): Promise<Holiday> {
  const rows = await tx.insert(holidays).values(form).returning(columns)
  await recheckTrials(tx)
  await auditAction(tx, caller, 'holiday added', {
    details: { first_day: form.first_day, last_day: form.last_day },
  })
  return firstRow(rows)
}

export async function changeHoliday(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  form: HolidayForm,
): Promise<Holiday> {
  const [row] = await tx.update(holidays).set(form).where(eq(holidays.id, id)).returning(columns)
  if (!row) throw notFound('Holiday')
  await recheckTrials(tx)
  await auditAction(tx, caller, 'holiday changed', {
    details: { first_day: form.first_day, last_day: form.last_day },
  })
  return row
}

export async function removeHoliday(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const [row] = await tx.delete(holidays).where(eq(holidays.id, id)).returning(columns)
  if (!row) throw notFound('Holiday')
  await auditAction(tx, caller, 'holiday removed', {
    details: { first_day: row.first_day, last_day: row.last_day },
  })
}
