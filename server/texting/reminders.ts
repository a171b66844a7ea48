import type { ManualReminderQuery, ReminderPreview } from '@tatami/contract/texting'
import { ANNOUNCEMENT_HEADINGS, type Reminder, REMINDER_TEXTS, fillTemplate } from '@tatami/contract/message-types'
import { firstDayOf, type Month, nextMonth } from '@tatami/contract/month'
import type { Tx } from '../db/database.ts'
import { monthIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { claimRun, hasRun } from '../dojos/job-runs.ts'
import { SUCCESS } from '../http/serve.ts'
import { DAY_MS } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { queueOrWait, queueTexts } from './outbox.ts'
import { remindersEnabled } from './settings.ts'
import { notifyEach } from '../notifications/notify.ts'
import { previewOf, sendingOf } from './compose.ts'
import { isMeantFor, type Weighed, weighStudents } from './recipients.ts'

/** Which reminder a calendar day brings: the month's last one the next month's, the 1st and the 2nd their own. */
export function reminderOn(today: string): Reminder | null {
  const tomorrow = new Date(Date.parse(today) + DAY_MS).toISOString()
  if (tomorrow.slice(8, 10) === '01') return 'pre_due'
  return { '01': 'on_due' as const, '02': 'post_due' as const }[today.slice(8, 10)] ?? null
}

/** The month whose fee a reminder is about at a moment, by default now. */
export function monthOfReminder(reminder: Reminder, timeZone: string, at?: Date): Month {
  const current = monthIn(timeZone, at)
  return reminder === 'pre_due' ? nextMonth(current) : current
}

const monthRemindedOf = async (tx: Tx, dojoId: string, reminder: Reminder): Promise<Month> =>
  monthOfReminder(reminder, (await dojoById(tx, dojoId)).time_zone)

/** Who gets a reminder of a month, and why the others do not. */
export const weighedFor = (tx: Tx, month: Month) => weighStudents(tx, { classIds: null, month, withoutTrial: true, withoutPaid: true })

/** By hand; all or none. It counts as that month's run, of which `unless_sent` makes it the first or nothing. */
export async function sendReminder(tx: Tx, dojoId: string, reminder: Reminder, { unless_sent }: ManualReminderQuery) {
  const month = await monthRemindedOf(tx, dojoId, reminder)
  const isFirst = await claimRun(tx, reminder, firstDayOf(month))
  if (unless_sent && !isFirst) throw new Refusal(409, 'This reminder has gone out meanwhile. Nobody was sent it again.')
  const weighed = await weighedFor(tx, month)
  const sending = sendingOf(reminder, REMINDER_TEXTS[reminder], weighed)
  await queueTexts(tx, dojoId, sending)
  await tellInApp(tx, dojoId, reminder, weighed)
  return { ...SUCCESS, total_recipients: sending.texts.length }
}

/** What sending it by hand would do now. */
export async function previewReminder(tx: Tx, dojoId: string, reminder: Reminder): Promise<ReminderPreview> {
  const month = await monthRemindedOf(tx, dojoId, reminder)
  const outcome = await previewOf(tx, reminder, REMINDER_TEXTS[reminder], await weighedFor(tx, month))
  return { ...outcome, month: firstDayOf(month), has_gone_out: await hasRun(tx, reminder, firstDayOf(month)) }
}

/** By itself, once a dojo, kind and month; texts for which the day has no room wait for the next (waiting-reminders.ts). */
export async function remindBySelf(tx: Tx, dojoId: string, today: string): Promise<void> {
  const reminder = reminderOn(today)
  if (!reminder || !(await remindersEnabled(tx))) return
  const month = await monthRemindedOf(tx, dojoId, reminder)
  if (!(await claimRun(tx, reminder, firstDayOf(month)))) return
  const weighed = await weighedFor(tx, month)
  const sending = sendingOf(reminder, REMINDER_TEXTS[reminder], weighed)
  if (sending.texts.length > 0) await queueOrWait(tx, dojoId, sending)
  await tellInApp(tx, dojoId, reminder, weighed)
}

async function tellInApp(tx: Tx, dojoId: string, reminder: Reminder, weighed: Weighed[]) {
  const meant = weighed.filter(isMeantFor)
  const { title } = ANNOUNCEMENT_HEADINGS.monthly_fee
  await notifyEach(
    tx,
    dojoId,
    meant.map(({ id, name }) => ({ account_id: id, title, message: fillTemplate(REMINDER_TEXTS[reminder], name) })),
  )
}
