import { NOTICE_DAYS } from '@tatami/contract/staff/staff-certificates'
import { and, between, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { formatFullDate } from '../../lib/format-day.ts'
import type { Email } from '../../lib/mail.ts'
import { pick, pluck } from '../../lib/rows.ts'
import { notify } from '../../notifications/notify.ts'
import { readLetterhead } from '../../pictures/pictures.ts'
import { instructors } from '../../sensei/tables.ts'
import { staffMembers } from '../tables.ts'
import { actionOn, isNewestOfKind } from './certificates.ts'
import { certificateKinds, staffCertificates } from './tables.ts'

const [FIRST_NOTICE_DAYS, SECOND_NOTICE_DAYS, LAST_NOTICE_DAYS] = NOTICE_DAYS
/** If the server was down, notices are still sent this many days after a certificate ended. */
const MAX_DAYS_LATE = 30

/** How many days ahead the latest notice is that should be sent by today: 60, 30 or 7. */
const noticeDaysAhead = (today: string) =>
  sql<number>`case when ${actionOn} <= ${today}::date + ${sql.raw(String(LAST_NOTICE_DAYS))}
      then ${sql.raw(String(LAST_NOTICE_DAYS))}
    when ${actionOn} <= ${today}::date + ${sql.raw(String(SECOND_NOTICE_DAYS))}
      then ${sql.raw(String(SECOND_NOTICE_DAYS))}
    else ${sql.raw(String(FIRST_NOTICE_DAYS))} end`

/** True for current certificates of current staff if the latest notice has not been sent. If the
 *  end changed after the last notice, the notices start over. */
const needsNotice = (today: string): SQL | undefined =>
  and(
    between(
      actionOn,
      sql`${today}::date - ${sql.raw(String(MAX_DAYS_LATE))}`,
      sql`${today}::date + ${sql.raw(String(FIRST_NOTICE_DAYS))}`,
    ),
    isNull(staffCertificates.removed_at),
    or(
      sql`${staffCertificates.noticed_day} is distinct from ${actionOn}`,
      sql`${staffCertificates.noticed_days_ahead} > ${noticeDaysAhead(today)}`,
    ),
    // No notice for a certificate that was entered after its end.
    sql`${staffCertificates.created_at} < ${actionOn} + 1`,
    isNewestOfKind,
    sql`exists (select from ${staffMembers} m where m.dojo_id = ${staffCertificates.dojo_id}
      and m.instructor_id = ${staffCertificates.staff_id} and m.ended_at is null
      and (m.ends_on is null or m.ends_on >= ${today}::date))`,
  )

export const findDojosWithCertificateNotices = (today: string): SQL =>
  sql`select ${staffCertificates.dojo_id} from ${staffCertificates} where ${needsNotice(today)}`

/** Notifies the people and the owners. Returns emails for the caller to send after the commit. */
export async function sendCertificateNotices(
  tx: Tx,
  dojoId: string,
  today: string,
): Promise<Email[]> {
  const certificates = await findCertificatesForNotices(tx, today)
  if (certificates.length === 0) return []
  await recordNotices(tx, pluck(certificates, 'id'), today)
  const letterhead = await readLetterhead(tx)
  const { name: dojoName } = await dojoById(tx, dojoId)
  const emails: Email[] = []
  for (const recipient of await findRecipients(tx, pluck(certificates, 'staff_id'))) {
    const recipientCertificates = certificates.filter(
      ({ staff_id }) => recipient.is_owner || staff_id === recipient.id,
    )
    const lines = recipientCertificates.map((certificate) =>
      describeCertificate(certificate, recipient.id, today),
    )
    const title = noticeTitle(recipientCertificates)
    await notify(tx, dojoId, [recipient.id], {
      title,
      message: lines.join(' '),
      opens: recipient.is_owner ? '/staff' : '/my-certificates',
      ...(recipient.is_owner && { needed_right: 'staff' }),
    })
    emails.push({
      to: recipient.email,
      letterhead,
      subject: `${dojoName}: ${title}`,
      text: `Hi ${recipient.name},\n\n${lines.join('\n')}\n`,
    })
  }
  return emails
}

type DueCertificate = Awaited<ReturnType<typeof findCertificatesForNotices>>[number]

const findCertificatesForNotices = (tx: Tx, today: string) =>
  tx
    .select({
      ...pick(staffCertificates, 'id', 'staff_id', 'recheck_on'),
      due_on: actionOn,
      kind: certificateKinds.name,
      name: instructors.name,
    })
    .from(staffCertificates)
    .innerJoin(certificateKinds, eq(certificateKinds.id, staffCertificates.kind_id))
    .innerJoin(instructors, eq(instructors.id, staffCertificates.staff_id))
    .where(needsNotice(today))
    .orderBy(actionOn, staffCertificates.id)

const recordNotices = (tx: Tx, ids: string[], today: string) =>
  tx
    .update(staffCertificates)
    .set({ noticed_day: actionOn, noticed_days_ahead: noticeDaysAhead(today) })
    .where(equalsAny(staffCertificates.id, ids))

const findRecipients = (tx: Tx, holderIds: string[]) =>
  tx
    .select({ ...pick(instructors, 'id', 'name', 'email'), is_owner: staffMembers.is_owner })
    .from(staffMembers)
    .innerJoin(instructors, eq(instructors.id, staffMembers.instructor_id))
    .where(or(eq(staffMembers.is_owner, true), equalsAny(staffMembers.instructor_id, holderIds)))
    .orderBy(staffMembers.instructor_id)

const noticeTitle = (certificates: DueCertificate[]): string =>
  certificates.length === 1 ? 'A certificate needs attention' : 'Certificates need attention'

/** "Ben Ortiz: First aid ends on June 3, 2027." */
function describeCertificate(
  { staff_id, name, kind, recheck_on, due_on }: DueCertificate,
  recipientId: string,
  today: string,
): string {
  const subject = staff_id === recipientId ? `Your ${kind}` : `${name}: ${kind}`
  const isOver = due_on < today
  const deadline = recheck_on === null ? describeEnd(isOver) : describeRecheck(isOver)
  return `${subject} ${deadline} ${formatFullDate(due_on)}.`
}

const describeEnd = (isOver: boolean) => (isOver ? 'ended on' : 'ends on')
const describeRecheck = (isOver: boolean) => (isOver ? 'needed a recheck by' : 'needs a recheck by')
