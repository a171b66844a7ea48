import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  classesOfDay,
  type KioskClass,
  kioskMinute,
  type KioskState,
} from '@tatami/contract/kiosk/kiosk'
import { classDatesBetween } from '@tatami/contract/calendar/timetable'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { minuteIn, todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { Kiosk } from '../http/serve.ts'
import { now as currentTime } from '../lib/clock.ts'
import { readTimetable } from '../calendar/timetable/timetable.ts'
import { findSettings, type KioskSettings } from './secret.ts'
import { kiosks } from './tables.ts'

export type Door = {
  kioskId: string
  day: string
  minute: number
  classes: KioskClass[]
  cancelled: KioskClass[]
  settings: KioskSettings
}

export async function doorAt(tx: Tx, kiosk: Kiosk, instant: Date = currentTime()): Promise<Door> {
  const { time_zone } = await dojoById(tx, kiosk.dojoId)
  const today = todayIn(time_zone, instant)
  const dojoTime = { day: today, minute: minuteIn(time_zone, instant) }
  const settings = (await findSettings(tx))!
  const yesterday = addDays(today, -1)
  const timetable = await readTimetable(tx, yesterday, today)
  const classesOn = (day: string) => {
    const dates = classDatesBetween(timetable, day, day)
    return { day, classes: classesOfDay(dates, 'on'), cancelled: classesOfDay(dates, 'cancelled') }
  }
  // After midnight a class of the day before may go on.
  const dayBefore = classesOn(yesterday)
  const minuteOfDayBefore = kioskMinute(yesterday, dayBefore.classes, dojoTime)
  return {
    kioskId: kiosk.id,
    settings,
    ...(minuteOfDayBefore === null
      ? { ...classesOn(today), minute: dojoTime.minute }
      : { ...dayBefore, minute: minuteOfDayBefore }),
  }
}

export async function kioskState(tx: Tx, kiosk: Kiosk): Promise<KioskState> {
  const [row] = await tx.select({ name: kiosks.name }).from(kiosks).where(eq(kiosks.id, kiosk.id))
  const { name, time_zone } = await dojoById(tx, kiosk.dojoId)
  const { day, classes, cancelled, settings } = await doorAt(tx, kiosk)
  return {
    kiosk_name: row!.name,
    dojo_name: name,
    time_zone,
    today: day,
    asks_pin: settings.asks_pin,
    classes,
    cancelled,
  }
}
