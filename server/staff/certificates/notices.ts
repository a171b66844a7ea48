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
import { dueOn, isCurrent } from './certificates.ts'
import { certificateKinds, staffCertificates } from './tables.ts'

const [FIRST_NOTICE, SECOND_NOTICE, LAST_NOTICE] = NOTICE_DAYS
/** After a server was off, a certificate that has ended meanwhile still gets a notice. */
const DAYS_LATE = 30

/** How many days ahead the newest notice is whose day has come. */
const noticeDaysAhead = (today: string) =>
  sql<number>`case when ${dueOn} <= ${today}::date + ${sql.raw(String(LAST_NOTICE))}
      then ${sql.raw(String(LAST_NOTICE))}
    when ${dueOn} <= ${today}::date + ${sql.raw(String(SECOND_NOTICE))}
      then ${sql.raw(String(SECOND_NOTICE))}
    else ${sql.raw(String(FIRST_NOTICE))} end`

/** True for a current certificate of somebody who works here, if its newest notice is not sent. If
 *  the end has changed since the last notice, the notices start again. */
const needsNotice = (today: string): SQL | undefined =>
  and(
    between(
      dueOn,
      sql`${today}::date - ${sql.raw(String(DAYS_LATE))}`,
      sql`${today}::date + ${sql.raw(String(FIRST_NOTICE))}`,
    ),
    isNull(staffCertificates.removed_at),
    or(
      sql`${staffCertificates.noticed_day} is distinct from ${dueOn}`,
      sql`${staffCertificates.noticed_days_ahead} > ${noticeDaysAhead(today)}`,
    ),
    // Whoever entered a certificate after its end knew it.
    sql`${staffCertificates.created_at} < ${dueOn} + 1`,
    isCurrent,
    sql`exists (select from ${staffMembers} m where m.dojo_id = ${staffCertificates.dojo_id}
      and m.instructor_id = ${staffCertificates.staff_id} and m.ended_at is null
      and (m.ends_on is null or m.ends_on >= ${today}::date))`,
  )

/** Starts from the certificates that end soon, so other dojos are not read. */
export const dojosWithCertificateNotices = (today: string): SQL =>
  sql`select ${staffCertificates.dojo_id} from ${staffCertificates} where ${needsNotice(today)}`

/** Notifies the people and the owners. Returns the emails, to send after the commit. */
export async function sendCertificateNotices(
  tx: Tx,
  dojoId: string,
  today: string,
): Promise<Email[]> {
  const certificates = await findCertificatesToNotice(tx, today)
  if (certificates.length === 0) return []
  await recordNotices(tx, pluck(certificates, 'id'), today)
  const letterhead = await readLetterhead(tx)
  const { name: dojoName } = await dojoById(tx, dojoId)
  const emails: Email[] = []
  for (const recipient of await findRecipients(tx, pluck(certificates, 'staff_id'))) {
    const seenCertificates = certificates.filter(
      ({ staff_id }) => recipient.is_owner || staff_id === recipient.id,
    )
    const lines = seenCertificates.map((certificate) => describe(certificate, recipient.id, today))
    const title = titleOf(seenCertificates)
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

type DueCertificate = Awaited<ReturnType<typeof findCertificatesToNotice>>[number]

const findCertificatesToNotice = (tx: Tx, today: string) =>
  tx
    .select({
      ...pick(staffCertificates, 'id', 'staff_id', 'recheck_on'),
      due_on: dueOn,
      kind: certificateKinds.name,
      name: instructors.name,
    })
    .from(staffCertificates)
    .innerJoin(certificateKinds, eq(certificateKinds.id, staffCertificates.kind_id))
    .innerJoin(instructors, eq(instructors.id, staffCertificates.staff_id))
    .where(needsNotice(today))
    .orderBy(dueOn, staffCertificates.id)

const recordNotices = (tx: Tx, ids: string[], today: string) =>
  tx
    .update(staffCertificates)
    .set({ noticed_day: dueOn, noticed_days_ahead: noticeDaysAhead(today) })
    .where(equalsAny(staffCertificates.id, ids))

const findRecipients = (tx: Tx, holderIds: string[]) =>
  tx
    .select({ ...pick(instructors, 'id', 'name', 'email'), is_owner: staffMembers.is_owner })
    .from(staffMembers)
    .innerJoin(instructors, eq(instructors.id, staffMembers.instructor_id))
    .where(or(eq(staffMembers.is_owner, true), equalsAny(staffMembers.instructor_id, holderIds)))
    .orderBy(staffMembers.instructor_id)

const titleOf = (certificates: DueCertificate[]): string =>
  certificates.length === 1 ? 'A certificate needs attention' : 'Certificates need attention'

/** "Ben Ortiz: First aid ends on June 3, 2027." */
function describe(
  { staff_id, name, kind, recheck_on, due_on }: DueCertificate,
  recipientId: string,
  today: string,
): string {
  const subject = staff_id === recipientId ? `Your ${kind}` : `${name}: ${kind}`
  const isOver = due_on < today
  const event = recheck_on === null ? endVerb(isOver) : recheckVerb(isOver)
  return `${subject} ${event} ${formatFullDate(due_on)}.`
}

const endVerb = (isOver: boolean) => (isOver ? 'ended on' : 'ends on')
const recheckVerb = (isOver: boolean) => (isOver ? 'needed a recheck by' : 'needs a recheck by')
