import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  classesOfDay,
  type KioskClass,
  findKioskMinute,
  type KioskState,
} from '@tatami/contract/kiosk/kiosk'
import { classDatesBetween } from '@tatami/contract/calendar/timetable'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { minuteIn, todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { firstRow } from '../lib/rows.ts'
import type { Kiosk } from '../http/serve.ts'
import { now as currentTime } from '../lib/clock.ts'
import { readTimetable } from '../calendar/timetable/timetable.ts'
import { readDojoLook } from '../pictures/pictures.ts'
import { type KioskSettings, readSettings } from './settings.ts'
import { kiosks } from './tables.ts'

/** The day that the kiosk shows, with its classes. `minute` is the current time in minutes since
 *  the day began. */
export type KioskDay = {
  kioskId: string
  day: string
  minute: number
  classes: KioskClass[]
  cancelled: KioskClass[]
  settings: KioskSettings
}

export async function readKioskDay(
  tx: Tx,
  kiosk: Kiosk,
  instant: Date = currentTime(),
): Promise<KioskDay> {
  const { time_zone } = await dojoById(tx, kiosk.dojoId)
  const today = todayIn(time_zone, instant)
  const dojoTime = { day: today, minute: minuteIn(time_zone, instant) }
  const settings = await readSettings(tx)
  const yesterday = addDays(today, -1)
  const timetable = await readTimetable(tx, yesterday, today)
  const readDayClasses = (day: string) => {
    const dates = classDatesBetween(timetable, day, day)
    return { day, classes: classesOfDay(dates, 'on'), cancelled: classesOfDay(dates, 'cancelled') }
  }
  // Yesterday's classes stay on the screen after midnight while one of them is still running.
  const yesterdayClasses = readDayClasses(yesterday)
  /** Null if none of yesterday's classes is still running. */
  const minuteSinceYesterday = findKioskMinute(yesterday, yesterdayClasses.classes, dojoTime)
  return {
    kioskId: kiosk.id,
    settings,
    ...(minuteSinceYesterday === null
      ? { ...readDayClasses(today), minute: dojoTime.minute }
      : { ...yesterdayClasses, minute: minuteSinceYesterday }),
  }
}

export async function readKioskState(tx: Tx, kiosk: Kiosk): Promise<KioskState> {
  const kioskRows = await tx
    .select({ name: kiosks.name })
    .from(kiosks)
    .where(eq(kiosks.id, kiosk.id))
  const { name, time_zone } = await dojoById(tx, kiosk.dojoId)
  const { day, classes, cancelled, settings } = await readKioskDay(tx, kiosk)
  return {
    kiosk_name: firstRow(kioskRows).name,
    dojo_name: name,
    ...(await readDojoLook(tx)),
    time_zone,
    today: day,
    asks_pin: settings.asks_pin,
    classes,
    cancelled,
  }
}
