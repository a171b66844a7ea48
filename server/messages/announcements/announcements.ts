import type {
  Announcement,
  FeeReminder,
  NewNotification,
} from '@tatami/contract/messages/announcements'
import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/lib/fields'
import { ANNOUNCEMENT_HEADINGS } from '@tatami/contract/texting/message-types'
import { placeholderProblem } from '@tatami/contract/texting/placeholders'
import { and, desc, eq, getTableColumns, inArray, isNotNull, lt, type SQL } from 'drizzle-orm'
import { instructorName } from '../../accounts/instructors.ts'
import { auditAction } from '../../audit/audit.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { wordsForReaders } from '../../guardians/readers.ts'
import { firstRow, pluck } from '../../lib/rows.ts'
import { invalid, notFound, Refusal } from '../../lib/refusal.ts'
import type { Member } from '../../http/serve.ts'
import { notifyEach } from '../../notifications/notify.ts'
import { notifications } from '../../notifications/tables.ts'
import { chosenStudents, type Reader, studentsYetToPay } from './recipients.ts'
import { announcements } from './tables.ts'

const { dojo_id: _, ...columns } = getTableColumns(announcements)

/** Instructors see all; others see those they were notified of, with the names filled in. */
export async function announcementsSeenBy(
  tx: Tx,
  caller: Member,
  { limit = DEFAULT_PAGE_SIZE, before }: Page,
): Promise<Announcement[]> {
  const isInstructor = caller.role === 'instructor'
  const ownAnnouncements = tx
    .select({ id: notifications.announcement_id })
    .from(notifications)
    .where(and(eq(notifications.account_id, caller.id), isNotNull(notifications.announcement_id)))
  const visibleAnnouncements = await tx
    .select(columns)
    .from(announcements)
    .where(
      and(
        isInstructor ? undefined : inArray(announcements.id, ownAnnouncements),
        before ? lt(announcements.id, before) : undefined,
      ),
    )
    .orderBy(desc(announcements.id))
    .limit(limit)
  return isInstructor ? visibleAnnouncements : inWordsOf(tx, caller.id, visibleAnnouncements)
}

async function inWordsOf(tx: Tx, accountId: string, visibleAnnouncements: Announcement[]) {
  const notices = await tx
    .select({ id: notifications.announcement_id, message: notifications.message })
    .from(notifications)
    .where(
      and(
        eq(notifications.account_id, accountId),
        equalsAny(notifications.announcement_id, pluck(visibleAnnouncements, 'id')),
      ),
    )
  const words = new Map(notices.map(({ id, message }) => [id, message]))
  return visibleAnnouncements.map((announcement) => ({
    ...announcement,
    content: words.get(announcement.id) ?? announcement.content,
  }))
}

const onlyId = ([first, ...otherStudents]: { id: string }[]): string | null =>
  first && otherStudents.length === 0 ? first.id : null

type Words = { title: string; category: string; content: string }

/** Notifies everybody who sees the `readers`. `addressees` also includes those who get nothing. */
export async function announce(
  tx: Tx,
  caller: Member,
  words: Words,
  readers: Reader[],
  addressees: { id: string }[] = readers,
): Promise<void> {
  const student_id = onlyId(readers) ?? onlyId(addressees)
  const announcementRows = await tx
    .insert(announcements)
    .values({ ...words, student_id })
    .returning({ id: announcements.id })
  const sender_name = await instructorName(tx, caller.id)
  const is_about_fees = words.category === 'fee'
  const messages = await wordsForReaders(tx, readers, words.content, { fees: is_about_fees })
  await notifyEach(
    tx,
    caller.dojoId,
    {
      title: words.title,
      sender_name,
      announcement_id: firstRow(announcementRows).id,
      template: words.content,
      is_about_fees,
    },
    messages,
  )
}

export async function sendNotification(
  tx: Tx,
  caller: Member,
  { title, message, category, ...selection }: NewNotification,
): Promise<number> {
  const recipients = await chosenStudents(tx, selection)
  await announce(
    tx,
    caller,
    { title, category: category ?? 'general', content: message },
    recipients,
  )
  await auditAction(tx, caller, 'announcement sent', { details: { students: recipients.length } })
  return recipients.length
}

/** Uses the custom message, or else the announcement's. */
export async function sendFeeReminder(
  tx: Tx,
  caller: Member,
  { announcement_id, custom_message }: FeeReminder,
): Promise<number> {
  const earlier = announcement_id ? await wordsOf(tx, eq(announcements.id, announcement_id)) : null
  const content = custom_message ?? earlier?.content
  if (!content)
    throw new Refusal(422, 'Message is required', {
      errors: [{ field: 'custom_message', message: 'Message is required' }],
    })
  const problem = placeholderProblem(content, 'name-and-amount')
  if (problem) throw invalid('custom_message', problem.message)
  const recipients = await studentsYetToPay(tx, caller.dojoId)
  await announce(
    tx,
    caller,
    { title: earlier?.title ?? ANNOUNCEMENT_HEADINGS.monthly_fee.title, category: 'fee', content },
    recipients,
  )
  await auditAction(tx, caller, 'announcement sent', {
    details: { fee_reminder: true, students: recipients.length },
  })
  return recipients.length
}

async function wordsOf(tx: Tx, condition: SQL): Promise<Words> {
  const [words] = await tx.select(columns).from(announcements).where(condition)
  if (!words) throw notFound('Announcement')
  return words
}
