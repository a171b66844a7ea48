import { addDays, firstDayOf } from '@tatami/contract/lib/calendar-day'
import type { UpcomingReminder } from '@tatami/contract/texting/texting'
import {
  NAME_PLACEHOLDER,
  type Reminder,
  REMINDER_TEXTS,
} from '@tatami/contract/texting/message-types'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { hasJobRun } from '../dojos/job-runs.ts'
import { dojos } from '../dojos/tables.ts'
import { formatDay } from '../lib/format-day.ts'
import { pluck } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { composeBatch, previewBatch } from './compose.ts'
import { getsNotice } from './recipients.ts'
import {
  monthOfReminder,
  findReminderDueOn,
  REMINDERS_DAYS_AHEAD,
  resolveReminderRecipients,
} from './reminders.ts'
import { changeTextSettings, readTextSettings } from '../texting/settings.ts'
import { messageSettings } from '../texting/tables.ts'

/** Instructors are notified three days before the first automatic reminder is sent. */

/** Each of the three reminders is due at least once within this time. */
const MAX_DAYS_AHEAD = 70

export const findReminderToAnnounce = (today: string): Reminder | null =>
  findReminderDueOn(addDays(today, REMINDERS_DAYS_AHEAD))

export const whereFirstReminderUnannounced = (): SQL =>
  sql`not exists (select from ${messageSettings} where ${messageSettings.dojo_id} = ${dojos.id}
    and ${messageSettings.reminders_announced_on} is not null)`

/** Notifies the instructors of the first automatic reminder, unless nobody would get it. */
export async function announceFirstReminder(tx: Tx, dojoId: string, today: string): Promise<void> {
  const reminder = findReminderToAnnounce(today)
  const { reminders_enabled, reminders_announced_on } = await readTextSettings(tx)
  if (!reminder || !reminders_enabled || reminders_announced_on !== null) return
  const sendsOn = addDays(today, REMINDERS_DAYS_AHEAD)
  const month = monthOfReminder(reminder, sendsOn)
  const recipients = await resolveReminderRecipients(tx, dojoId, { reminder, month, sendsOn })
  if (!recipients.some(getsNotice)) return
  await changeTextSettings(tx, { reminders_announced_on: today })
  const { texts } = composeBatch(reminder, REMINDER_TEXTS[reminder], recipients)
  const families = countFamilies(texts.map(({ students }) => pluck(students, 'id')))
  const subjectAndVerb = families === 1 ? '1 family gets' : `${families} families get`
  // Names no student, because the notification may be kept longer than the student.
  const exampleText = REMINDER_TEXTS[reminder].replace(NAME_PLACEHOLDER, '…')
  await notifyStaff(tx, dojoId, 'money.see', {
    title: `Automatic fee reminders start on ${formatDay(sendsOn)}`,
    message:
      `At 10 AM, ${subjectAndVerb} this text: “${exampleText}” ` +
      'You can check the list or turn reminders off before then.',
    opens: '/automatic-reminders',
  })
}

/** Each text is a list of student ids. Students who share a text count as one family. */
export function countFamilies(texts: readonly (readonly string[])[]): number {
  const familyByStudent = new Map<string, Set<string>>()
  for (const studentIds of texts) {
    const earlierFamilies = studentIds.flatMap((id) => familyByStudent.get(id) ?? [])
    const family = new Set([...studentIds, ...earlierFamilies.flatMap((ids) => [...ids])])
    for (const id of family) familyByStudent.set(id, family)
  }
  return new Set(familyByStudent.values()).size
}

export async function previewUpcomingReminder(tx: Tx, dojoId: string): Promise<UpcomingReminder> {
  const { reminders_announced_on: announcedOn } = await readTextSettings(tx)
  const { reminder, day } = await findNextReminder(tx, await todayOf(tx, dojoId), announcedOn)
  const month = monthOfReminder(reminder, day)
  const recipients = await resolveReminderRecipients(tx, dojoId, { reminder, month, sendsOn: day })
  const text = REMINDER_TEXTS[reminder]
  const preview = await previewBatch(tx, reminder, text, recipients)
  const { texts } = composeBatch(reminder, text, recipients)
  return {
    ...preview,
    reminder,
    text,
    sends_on: day,
    month: firstDayOf(month),
    families: countFamilies(texts.map(({ students }) => pluck(students, 'id'))),
    announced_on: announcedOn,
  }
}

/** Skips reminders that are due before the three days of notice are over. */
async function findNextReminder(tx: Tx, today: string, announcedOn: string | null) {
  const earliestDay = addDays(announcedOn ?? today, REMINDERS_DAYS_AHEAD)
  for (let daysAhead = 0; daysAhead < MAX_DAYS_AHEAD; daysAhead += 1) {
    const day = addDays(today, daysAhead)
    const reminder = findReminderDueOn(day)
    if (reminder === null || day < earliestDay) continue
    if (!(await hasJobRun(tx, reminder, firstDayOf(monthOfReminder(reminder, day)))))
      return { reminder, day }
  }
  throw new Error('There is no reminder within two months')
}
