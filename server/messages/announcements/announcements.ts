import type {
  Announcement,
  FeeReminder,
  NewAnnouncement,
} from '@tatami/contract/messages/announcements'
import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/lib/fields'
import { ANNOUNCEMENT_HEADINGS } from '@tatami/contract/texting/message-types'
import { findPlaceholderProblem } from '@tatami/contract/texting/placeholders'
import { and, desc, eq, getTableColumns, inArray, isNotNull, lt } from 'drizzle-orm'
import { findInstructorName } from '../../accounts/instructors.ts'
import { auditAction } from '../../audit/audit.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { composeMessagesForReaders } from '../../guardians/readers.ts'
import { firstRow, pluck } from '../../lib/rows.ts'
import { invalid, notFound, Refusal } from '../../lib/refusal.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { notifyEach } from '../../notifications/notify.ts'
import { notifications } from '../../notifications/tables.ts'
import { hideFeeText, type TextReader } from '../../texting/fee-texts.ts'
import { findUnpaidStudents, type Reader, selectStudents } from './recipients.ts'
import { announcements } from './tables.ts'

const { dojo_id: _, ...columns } = getTableColumns(announcements)

const FEE_CATEGORY = ANNOUNCEMENT_HEADINGS.monthly_fee.category

const hideContentAboutFees = (reader: TextReader, { category, content }: Announcement): string =>
  category === FEE_CATEGORY ? hideFeeText(reader, 'monthly_fee', content) : content

/** Students and guardians see only announcements that they were notified of. */
export async function listAnnouncements(
  tx: Tx,
  caller: DojoCaller,
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
  return isInstructor
    ? visibleAnnouncements.map((row) => ({ ...row, content: hideContentAboutFees(caller, row) }))
    : withPersonalContent(tx, caller.id, visibleAnnouncements)
}

async function withPersonalContent(
  tx: Tx,
  accountId: string,
  visibleAnnouncements: Announcement[],
) {
  const ownNotifications = await tx
    .select({ id: notifications.announcement_id, message: notifications.message })
    .from(notifications)
    .where(
      and(
        eq(notifications.account_id, accountId),
        equalsAny(notifications.announcement_id, pluck(visibleAnnouncements, 'id')),
      ),
    )
  const contentByAnnouncement = new Map(ownNotifications.map(({ id, message }) => [id, message]))
  return visibleAnnouncements.map((announcement) => ({
    ...announcement,
    content: contentByAnnouncement.get(announcement.id) ?? announcement.content,
  }))
}

/** Returns the student's id if there is exactly one student. */
const findSingleId = ([firstStudent, ...otherStudents]: { id: string }[]): string | null =>
  firstStudent && otherStudents.length === 0 ? firstStudent.id : null

type AnnouncementContent = { title: string; category: string; content: string }

/** `intendedStudents` includes students who are skipped. An announcement for a single student is
 *  deleted together with that student. */
export async function announce(
  tx: Tx,
  caller: DojoCaller,
  announcement: AnnouncementContent,
  readers: Reader[],
  intendedStudents: { id: string }[] = readers,
): Promise<void> {
  const { title, category, content } = announcement
  const student_id = findSingleId(readers) ?? findSingleId(intendedStudents)
  const announcementRows = await tx
    .insert(announcements)
    .values({ title, category, content, student_id })
    .returning({ id: announcements.id })
  const sender_name = await findInstructorName(tx, caller.id)
  const is_about_fees = category === FEE_CATEGORY
  const messages = await composeMessagesForReaders(tx, readers, content, { fees: is_about_fees })
  const announcement_id = firstRow(announcementRows).id
  await notifyEach(
    tx,
    caller.dojoId,
    { title, sender_name, announcement_id, template: content, is_about_fees },
    messages,
  )
}

export async function announceToSelection(
  tx: Tx,
  caller: DojoCaller,
  { title, message, category, ...selection }: NewAnnouncement,
): Promise<number> {
  const recipients = await selectStudents(tx, selection)
  await announce(
    tx,
    caller,
    { title, category: category ?? 'general', content: message },
    recipients,
  )
  await auditAction(tx, caller, 'announcement sent', { details: { students: recipients.length } })
  return recipients.length
}

/** Sends the custom message, or else the text of an earlier announcement. */
export async function sendFeeReminder(
  tx: Tx,
  caller: DojoCaller,
  { announcement_id, custom_message }: FeeReminder,
): Promise<number> {
  const announcement = announcement_id ? await findAnnouncement(tx, announcement_id) : null
  const content = custom_message ?? announcement?.content
  if (!content)
    throw new Refusal(422, 'Message is required', {
      errors: [{ field: 'custom_message', message: 'Message is required' }],
    })
  const problem = findPlaceholderProblem(content, 'name-and-amount')
  if (problem) throw invalid('custom_message', problem.message)
  const recipients = await findUnpaidStudents(tx, caller.dojoId)
  const title = announcement?.title ?? ANNOUNCEMENT_HEADINGS.monthly_fee.title
  await announce(tx, caller, { title, category: FEE_CATEGORY, content }, recipients)
  await auditAction(tx, caller, 'announcement sent', {
    details: { fee_reminder: true, students: recipients.length },
  })
  return recipients.length
}

async function findAnnouncement(tx: Tx, id: string): Promise<AnnouncementContent> {
  const [announcement] = await tx
    .select(columns)
    .from(announcements)
    .where(eq(announcements.id, id))
  if (!announcement) throw notFound('Announcement')
  return announcement
}
