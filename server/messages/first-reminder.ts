import { addDays, firstDayOf } from '@tatami/contract/lib/calendar-day'
import type { UpcomingReminder } from '@tatami/contract/texting/texting'
import { type Reminder, REMINDER_TEXTS } from '@tatami/contract/texting/message-types'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { hasJobRun } from '../dojos/job-runs.ts'
import { dojos } from '../dojos/tables.ts'
import { formatDay } from '../lib/format-day.ts'
import { notifyInstructors } from '../notifications/notify.ts'
import { composeBatch, previewBatch } from './compose.ts'
import { getsNotice } from './recipients.ts'
import {
  monthOfReminder,
  reminderOn,
  REMINDERS_DAYS_AHEAD,
  resolveReminderRecipients,
} from './reminders.ts'
import { changeTextSettings, textSettings } from '../texting/settings.ts'
import { messageSettings } from '../texting/tables.ts'

/** Every kind of reminder occurs within this time. */
const DAYS_SEARCHED = 70

export const reminderAhead = (today: string): Reminder | null =>
  reminderOn(addDays(today, REMINDERS_DAYS_AHEAD))

export const awaitsFirstReminder = (): SQL =>
  sql`not exists (select from ${messageSettings} where ${messageSettings.dojo_id} = ${dojos.id}
    and ${messageSettings.reminders_announced_on} is not null)`

/** Tells the instructors once, three days before the first automatic reminder. */
export async function announceFirstReminder(tx: Tx, dojoId: string, today: string): Promise<void> {
  const reminder = reminderAhead(today)
  const { reminders_enabled, reminders_announced_on } = await textSettings(tx)
  if (!reminder || !reminders_enabled || reminders_announced_on !== null) return
  const sendsOn = addDays(today, REMINDERS_DAYS_AHEAD)
  const month = monthOfReminder(reminder, sendsOn)
  const recipients = await resolveReminderRecipients(tx, dojoId, {
    reminder,
    month,
    automaticOn: sendsOn,
  })
  if (!recipients.some(getsNotice)) return
  await changeTextSettings(tx, { reminders_announced_on: today })
  const { texts } = composeBatch(reminder, REMINDER_TEXTS[reminder], recipients)
  const families = countFamilies(texts.map((text) => text.students.map(({ id }) => id)))
  const recipientWords = families === 1 ? '1 family gets' : `${families} families get`
  await notifyInstructors(tx, dojoId, {
    title: `Automatic fee reminders start on ${formatDay(sendsOn)}`,
    message:
      `At 10 AM, ${recipientWords} this text: “${REMINDER_TEXTS[reminder]}” ` +
      'You can check the list or turn reminders off before then.',
    opens: '/automatic-reminders',
  })
}

/** Students who share a text are one family. */
export function countFamilies(texts: readonly (readonly string[])[]): number {
  const familyOf = new Map<string, Set<string>>()
  for (const students of texts) {
    const existingFamilies = students.flatMap((id) => familyOf.get(id) ?? [])
    const family = existingFamilies[0] ?? new Set<string>()
    const members = [...students, ...existingFamilies.flatMap((ids) => [...ids])]
    for (const id of members) {
      family.add(id)
      familyOf.set(id, family)
    }
  }
  return new Set(familyOf.values()).size
}

export async function upcomingReminder(tx: Tx, dojoId: string): Promise<UpcomingReminder> {
  const { reminders_announced_on: announcedOn } = await textSettings(tx)
  const { reminder, day } = await nextReminder(tx, await todayOf(tx, dojoId), announcedOn)
  const month = monthOfReminder(reminder, day)
  const recipients = await resolveReminderRecipients(tx, dojoId, {
    reminder,
    month,
    automaticOn: day,
  })
  const text = REMINDER_TEXTS[reminder]
  const preview = await previewBatch(tx, reminder, text, recipients)
  const students = Map.groupBy(
    preview.students.flatMap(({ student_id, texts }) =>
      texts.map((number) => ({ student_id, number })),
    ),
    ({ number }) => number,
  )
  return {
    ...preview,
    reminder,
    text,
    sends_on: day,
    month: firstDayOf(month),
    families: countFamilies(
      [...students.values()].map((rows) => rows.map(({ student_id }) => student_id)),
    ),
    announced_on: announcedOn,
  }
}

/** A reminder within three days would not be sent before the instructors are told. */
async function nextReminder(tx: Tx, today: string, announcedOn: string | null) {
  const first = addDays(announcedOn ?? today, REMINDERS_DAYS_AHEAD)
  for (let ahead = 0; ahead < DAYS_SEARCHED; ahead += 1) {
    const day = addDays(today, ahead)
    const reminder = reminderOn(day)
    if (reminder === null || day < first) continue
    if (!(await hasJobRun(tx, reminder, firstDayOf(monthOfReminder(reminder, day)))))
      return { reminder, day }
  }
  throw new Error('There is no reminder within two months')
}
