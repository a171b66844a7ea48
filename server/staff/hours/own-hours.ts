import { firstDayOf, lastDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { OwnHours } from '@tatami/contract/staff/hours'
import { and, between, eq } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { todayIn } from '../../dojos/calendar.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { hasKiosk } from '../../kiosk/codes.ts'
import { readEntries, readTimeZone } from './entries.ts'
import { readShifts } from './shifts.ts'
import { staffHours, staffShifts } from './tables.ts'
import { suggestClasses } from './taught-classes.ts'
import { hasWorkPin } from './work-pins.ts'

/** Reads the hours of the month that contains `day`, by default this month. */
export async function readOwnHours(
  tx: Tx,
  caller: DojoCaller,
  day: string | undefined,
): Promise<OwnHours> {
  const timeZone = await readTimeZone(tx, caller.dojoId)
  const today = todayIn(timeZone)
  const month = monthOfDate(day ?? today)
  const [firstDay, lastDay] = [firstDayOf(month), lastDayOf(month)]
  const isOwnInMonth = and(
    eq(staffHours.person_id, caller.id),
    between(staffHours.day, firstDay, lastDay),
  )
  return {
    today,
    from: firstDay,
    until: lastDay,
    entries: await readEntries(tx, timeZone, isOwnInMonth),
    shifts: await readShifts(tx, timeZone, eq(staffShifts.person_id, caller.id)),
    suggested_classes: await suggestClasses(tx, caller),
    has_pin: await hasWorkPin(tx, caller.id),
    has_kiosk: await hasKiosk(tx),
  }
}
