import {
  firstDayOf,
  type Month,
  monthOfDate,
  nextMonth,
  addDays,
  dayOfMonth,
} from '@tatami/contract/lib/calendar-day'
import type { ManualReminderQuery, ReminderPreview } from '@tatami/contract/texting/texting'
import {
  ANNOUNCEMENT_HEADINGS,
  type Reminder,
  REMINDER_TEXTS,
  REMINDERS,
  encodeSkipReason,
} from '@tatami/contract/texting/message-types'
import { findInstructorName } from '../accounts/instructors.ts'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { monthIn, todayIn } from '../dojos/calendar.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { claimJobRun, hasJobRun } from '../dojos/job-runs.ts'
import { type DojoCaller, SUCCESS } from '../http/serve.ts'
import { composeMessagesForReaders } from '../guardians/readers.ts'
import { Refusal } from '../lib/refusal.ts'
import { groupRows } from '../lib/rows.ts'
import { amountsLeftToPay, lateStudents } from '../dues/amounts.ts'
import { admitTexts, lockWaitingTexts, skipTexts } from '../texting/allowance.ts'
import { readTextSettings } from '../texting/settings.ts'
import { notifyEach } from '../notifications/notify.ts'
import { composeBatch, previewBatch } from './compose.ts'
import { readFeeAmounts } from './fee-amounts.ts'
import { createFeeLinks, withFeeLinks } from './fee-links.ts'
import { queueBatch, queueBatchOrWait } from '../texting/batches.ts'
import {
  createDestinationLookup,
  getsNotice,
  type Recipient,
  resolveRecipients,
} from './recipients.ts'
import { type Destination } from '../texting/destinations.ts'
import { readdressRows, regroupTexts } from '../texting/shared-texts.ts'

/** Instructors are notified this long before the first automatic reminder. */
export const REMINDERS_DAYS_AHEAD = 3

/** `pre_due` is sent on the last day of a month, `on_due` on the 1st, and `post_due` on the 2nd. */
export function findReminderDueOn(today: string): Reminder | null {
  if (dayOfMonth(addDays(today, 1)) === 1) return 'pre_due'
  if (dayOfMonth(today) === 1) return 'on_due'
  return dayOfMonth(today) === 2 ? 'post_due' : null
}

export const monthOfReminder = (reminder: Reminder, day: string): Month =>
  reminder === 'pre_due' ? nextMonth(monthOfDate(day)) : monthOfDate(day)

const reminderMonthOf = async (tx: Tx, dojoId: string, reminder: Reminder): Promise<Month> =>
  monthOfReminder(reminder, await todayOf(tx, dojoId))

type ReminderRun = {
  reminder: Reminder
  month: Month
  /** Set if the reminder is automatic. Students not past due on this day get no `post_due`. */
  sendsOn?: string
}

export async function resolveReminderRecipients(
  tx: Tx,
  dojoId: string,
  { reminder, month, sendsOn }: ReminderRun,
): Promise<Recipient[]> {
  const today = await todayOf(tx, dojoId)
  const lateIds =
    sendsOn && reminder === 'post_due' ? await lateStudents(tx, dojoId, month, sendsOn) : undefined
  return resolveRecipients(tx, {
    topic: 'dues',
    classIds: null,
    month,
    excludeTrial: true,
    excludePaid: true,
    promises: { today, areExcluded: true },
    ...(await readFeeAmounts(tx, dojoId, await amountsLeftToPay(tx, dojoId, month), month)),
    ...(lateIds && { lateIds }),
  })
}

async function composeReminder(
  tx: Tx,
  dojoId: string,
  reminder: Reminder,
  recipients: Recipient[],
) {
  const payLinks = await createFeeLinks(tx, dojoId, reminder, recipients)
  return composeBatch(reminder, REMINDER_TEXTS[reminder], recipients, undefined, payLinks)
}

/** Sends a reminder now, instead of this month's automatic one. With `unless_sent`, throws 409 if
 *  the reminder was already sent this month. */
export async function sendReminder(
  tx: Tx,
  caller: DojoCaller,
  reminder: Reminder,
  { unless_sent }: ManualReminderQuery,
) {
  const { dojoId } = caller
  const month = await reminderMonthOf(tx, dojoId, reminder)
  const isFirst = await claimJobRun(tx, reminder, firstDayOf(month))
  if (unless_sent && !isFirst)
    throw new Refusal(409, 'This reminder has already been sent, so it wasn’t sent again.')
  const recipients = await resolveReminderRecipients(tx, dojoId, { reminder, month })
  const batch = await composeReminder(tx, dojoId, reminder, recipients)
  const sender_name = await findInstructorName(tx, caller.id)
  await queueBatch(tx, dojoId, { ...batch, sender_name })
  await notifyInApp(tx, dojoId, reminder, recipients)
  await auditAction(tx, caller, 'texts sent', {
    details: { kind: reminder, students: batch.total_recipients },
  })
  return { ...SUCCESS, total_recipients: batch.total_recipients }
}

export async function previewReminder(
  tx: Tx,
  dojoId: string,
  reminder: Reminder,
): Promise<ReminderPreview> {
  const month = await reminderMonthOf(tx, dojoId, reminder)
  const preview = await previewBatch(
    tx,
    reminder,
    REMINDER_TEXTS[reminder],
    await resolveReminderRecipients(tx, dojoId, { reminder, month }),
  )
  return {
    ...preview,
    month: firstDayOf(month),
    has_gone_out: await hasJobRun(tx, reminder, firstDayOf(month)),
  }
}

async function canSendReminders(tx: Tx, today: string): Promise<boolean> {
  const { reminders_enabled, reminders_announced_on: announcedOn } = await readTextSettings(tx)
  if (!reminders_enabled || announcedOn === null) return false
  return addDays(announcedOn, REMINDERS_DAYS_AHEAD) <= today
}

/** Sends each reminder once per dojo and month. Texts beyond the day's allowance wait. */
export async function sendDueReminder(tx: Tx, dojoId: string, today: string): Promise<void> {
  const reminder = findReminderDueOn(today)
  if (!reminder || !(await canSendReminders(tx, today))) return
  const month = await reminderMonthOf(tx, dojoId, reminder)
  if (!(await claimJobRun(tx, reminder, firstDayOf(month)))) return
  const recipients = await resolveReminderRecipients(tx, dojoId, {
    reminder,
    month,
    sendsOn: today,
  })
  const batch = await composeReminder(tx, dojoId, reminder, recipients)
  if (batch.texts.length > 0) await queueBatchOrWait(tx, dojoId, batch)
  await notifyInApp(tx, dojoId, reminder, recipients)
}

async function notifyInApp(tx: Tx, dojoId: string, reminder: Reminder, recipients: Recipient[]) {
  const readers = recipients.filter(getsNotice)
  const { title } = ANNOUNCEMENT_HEADINGS.monthly_fee
  const template = REMINDER_TEXTS[reminder]
  await notifyEach(
    tx,
    dojoId,
    { title, template, is_about_fees: true },
    await composeMessagesForReaders(tx, readers, template, { fees: true }),
  )
}

/** Sends reminders that waited for a new allowance. Looks up their recipients again, because some
 *  may have paid, and the month may be over. */
export async function sendWaitingReminders(tx: Tx, dojoId: string): Promise<void> {
  const { time_zone } = await dojoById(tx, dojoId)
  const waitingTexts = (await lockWaitingTexts(tx, REMINDERS)).map((text) => ({
    ...text,
    month: monthOfReminder(text.kind, todayIn(time_zone, new Date(text.batch_created_at))),
  }))
  const textsByReminder = groupRows(
    waitingTexts,
    ({ kind, month }) => `${kind} ${firstDayOf(month)}`,
  )
  for (const texts of textsByReminder.values()) {
    const [{ kind: reminder, month }] = texts
    const findDestination = await resolveDestinations(
      tx,
      dojoId,
      { reminder, month },
      monthIn(time_zone),
    )
    const { rowsToSend, rowsToSkip } = readdressRows(texts, findDestination)
    const textsToSend = await regroupTexts(
      tx,
      await withFeeLinks(tx, dojoId, reminder, rowsToSend),
      rowsToSkip,
    )
    await skipTexts(
      tx,
      rowsToSkip.map((row) => ({ id: row.id, reason: encodeSkipReason(row) })),
    )
    await admitTexts(tx, dojoId, textsToSend)
  }
}

async function resolveDestinations(
  tx: Tx,
  dojoId: string,
  { reminder, month }: { reminder: Reminder; month: Month },
  currentMonth: Month,
): Promise<(studentId: string) => Destination> {
  if (!(await readTextSettings(tx)).reminders_enabled)
    return () => ({ phones: [], reason: 'reminders_off' })
  if (firstDayOf(month) < firstDayOf(currentMonth))
    return () => ({ phones: [], reason: 'month_over' })
  return createDestinationLookup(await resolveReminderRecipients(tx, dojoId, { reminder, month }))
}
