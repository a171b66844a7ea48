import { REMINDERS, type SkipReason } from '@tatami/contract/message-types'
import { firstDayOf, type Month } from '@tatami/contract/month'
import type { Tx } from '../db/database.ts'
import { monthIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { remindersEnabled } from './settings.ts'
import { admit, holdWaiting, passOver } from './waiting.ts'
import { monthOfReminder, weighedFor } from './reminders.ts'

type Fate = { phone: string; reason: null } | { phone: null; reason: SkipReason }

/**
 * Lets go the reminders for which an earlier day had no room, the oldest first, at the reminders' hour and before that day's own. Their
 * students are weighed again: who has paid, is away or on trial by then, or has no number for it, gets none. Its words may be of
 * yesterday; once the month that it is for is over, or reminders are off, it does not go at all.
 */
export async function admitReminders(tx: Tx, dojoId: string): Promise<void> {
  const { time_zone } = await dojoById(tx, dojoId)
  const waiting = (await holdWaiting(tx, REMINDERS)).map((text) => ({
    ...text,
    month: monthOfReminder(text.kind, time_zone, new Date(text.since)),
  }))
  for (const texts of Map.groupBy(waiting, ({ month }) => firstDayOf(month)).values()) {
    const fateOf = await weighAgain(tx, texts[0]!.month, monthIn(time_zone))
    const fates = texts.map(({ id, student_id }) => ({ id, ...fateOf(student_id) }))
    await passOver(
      tx,
      fates.filter((fate) => fate.reason !== null),
    )
    await admit(
      tx,
      dojoId,
      fates.filter(({ reason }) => reason === null),
    )
  }
}

async function weighAgain(tx: Tx, month: Month, current: Month): Promise<(studentId: string) => Fate> {
  if (!(await remindersEnabled(tx))) return () => ({ phone: null, reason: 'reminders_off' })
  if (firstDayOf(month) < firstDayOf(current)) return () => ({ phone: null, reason: 'month_over' })
  const weighed = new Map((await weighedFor(tx, month)).map(({ id, name: _, ...fate }) => [id, fate]))
  return (studentId) => weighed.get(studentId) ?? { phone: null, reason: 'no_valid_phone' }
}
