/** Guardians keep access to an adult student only if the student agrees. */
import { ADULT_AGE, ADULTHOOD_NOTICE_DAYS } from '@tatami/contract/guardians/guardians'
import { firstNames } from '@tatami/contract/texting/message-types'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { isDojoActive } from '../accounts/accounts.ts'
import { NO_ACTOR_ID, auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { formatFullDate } from '../lib/format-day.ts'
import { validPhone } from '../lib/phone.ts'
import { groupRows, pluck } from '../lib/rows.ts'
import { notify, notifyStaff } from '../notifications/notify.ts'
import { adultOn, students } from '../students/tables.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { WITHDRAWN_CONSENT } from '../guardians/guardianships.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import { guardians, guardianships } from '../guardians/tables.ts'

/** Birthdays are still handled this many days later, in case the nightly job failed. */
const CATCH_UP_DAYS = 60

// If the date of birth is corrected, the new birthday is handled too. The extra day allows for time
// zones.
const isAnnounced = sql`link.adulthood_announced_at >=
  ${adultOn} - ${ADULTHOOD_NOTICE_DAYS + 1}::int`
const isHandled = sql`link.adulthood_reached_at >= ${adultOn} - 1`
const computeLastAnnouncedDay = (today: string) =>
  sql`${today}::date + ${ADULTHOOD_NOTICE_DAYS}::int`
// Guardians lose access to former students too, but without an announcement.
const isAnnouncementDue = (today: string) => sql`s.left_on is null and ${adultOn} > ${today}::date
  and ${adultOn} <= ${computeLastAnnouncedDay(today)} and ${isAnnounced} is not true`
const isUnhandledAdult = (today: string) =>
  sql`${adultOn} <= ${today}::date and ${isHandled} is not true`
// A guardian who was linked after the 18th birthday keeps the rights.
const isAdulthoodDue = (today: string) => sql`${isUnhandledAdult(today)}
  and ${adultOn} > (link.since at time zone (
    select dojo.time_zone from ${dojos} dojo where dojo.id = link.dojo_id))::date`

/** Also checks birthdays since `lastRun`, because the server may have been down. */
export const findDojosWithNewAdults = (today: string, lastRun: SQL): SQL => sql`
  select s.dojo_id from ${students} s join ${guardianships} link
    on link.dojo_id = s.dojo_id and link.student_id = s.id and link.ended_at is null
  where ${adultOn} >=
      least(${today}::date - ${CATCH_UP_DAYS}::int, coalesce(${lastRun}, '-infinity'))
    and ${adultOn} <= ${computeLastAnnouncedDay(today)}
    and (${isAnnouncementDue(today)} or ${isAdulthoodDue(today)})`

type GuardianLink = {
  student_id: string
  name: string
  has_left: boolean
  has_log_in: boolean
  /** The student's phone. */
  phone: string | null
  /** True if the birthday was announced to any guardian. */
  was_announced: boolean
  guardian_id: string
  account_id: string | null
  sees: boolean
  has_agreed: boolean
  /** The 18th birthday. */
  adult_on: string
}

async function findLinks(tx: Tx, condition: SQL): Promise<[GuardianLink, ...GuardianLink[]][]> {
  const { rows } = await tx.execute<GuardianLink>(sql`
    select s.id as student_id, s.name, s.phone_number as phone, link.guardian_id,
      guardian.account_id,
      s.left_on is not null as has_left,
      s.email is not null and not exists (
        select from ${guardianships} closed_link
        where closed_link.student_id = s.id and closed_link.log_in_closed_at is not null
      ) as has_log_in,
      link.sees, link.agreed_at is not null as has_agreed, ${adultOn}::text as adult_on,
      exists (
        select from ${guardianships} link where link.student_id = s.id and ${isAnnounced}
      ) as was_announced
    from ${students} s
    join ${guardianships} link on link.student_id = s.id and link.ended_at is null
    join ${guardians} guardian on guardian.id = link.guardian_id
    where ${condition}`)
  return [...groupRows(rows, ({ student_id }) => student_id).values()]
}

/** Announces 18th birthdays 30 days ahead, and ends the guardians' access on the birthday. */
export async function handleAdulthood(tx: Tx, dojoId: string, today: string): Promise<void> {
  // Nobody can read announcements in an inactive dojo, but access ends anyway.
  if (await isDojoActive(tx, dojoId))
    for (const links of await findLinks(tx, isAnnouncementDue(today)))
      await announceAdulthood(tx, dojoId, links)
  for (const links of await findLinks(tx, isAdulthoodDue(today)))
    await endGuardianAccess(tx, dojoId, links)
}

/** Ends guardians' access immediately if a new date of birth makes the students adults. */
export async function endAccessToAdults(
  tx: Tx,
  dojoId: string,
  today: string,
  studentIds: string[],
): Promise<void> {
  const isOneOfStudents = sql`s.id = any(${sql.param(studentIds)})`
  for (const links of await findLinks(tx, sql`${isUnhandledAdult(today)} and ${isOneOfStudents}`))
    await endGuardianAccess(tx, dojoId, links)
}

async function announceAdulthood(tx: Tx, dojoId: string, links: [GuardianLink, ...GuardianLink[]]) {
  const [{ student_id, name, has_log_in, was_announced, adult_on }] = links
  const firstName = firstNames([name])
  const birthday = formatFullDate(adult_on)
  if (has_log_in && !was_announced)
    await notify(tx, dojoId, [student_id], {
      title: `You turn ${ADULT_AGE} soon`,
      message: `Starting ${birthday}, your guardians see your page only if you allow it in Settings.`,
      opens: '/notification-settings',
    })
  const accountIds = links.flatMap(({ account_id, sees }) => (sees && account_id ? account_id : []))
  await notify(tx, dojoId, accountIds, {
    title: `${firstName} turns ${ADULT_AGE} soon`,
    message:
      `Starting ${birthday}, you see ${firstName}’s page only if ${firstName} allows it. ` +
      'Payments don’t change.',
    student_id,
  })
  const accessRule = `Starting ${birthday}, guardians see the page only if ${firstName} allows it.`
  const invitationRequest = `${firstName} has no login yet. Please send an invitation.`
  if (!was_announced)
    await notifyStaff(tx, dojoId, 'students.contact', {
      title: `${name} turns ${ADULT_AGE} soon`,
      message: has_log_in ? accessRule : `${accessRule} ${invitationRequest}`,
      student_id,
    })
  await updateLinks(tx, links, { adulthood_announced_at: nowIso() })
}

async function endGuardianAccess(tx: Tx, dojoId: string, links: [GuardianLink, ...GuardianLink[]]) {
  const [{ student_id, name, has_left, has_log_in, phone }] = links
  const endedLinks = links.filter((link) => !link.has_agreed)
  await updateLinks(tx, endedLinks, { sees: false, sees_fees: false, may_edit: false })
  // A student may agree, but not let the guardian see fees or make edits.
  await updateLinks(
    tx,
    links.filter((link) => link.has_agreed),
    {
      sees_fees: sql`${guardianships.sees_fees} and ${guardianships.agrees_to_fees}`,
      may_edit: sql`${guardianships.may_edit} and ${guardianships.agrees_to_edit}`,
    },
  )
  // If the student has no phone, the guardian keeps getting the texts.
  if (validPhone(phone) !== null) await updateLinks(tx, links, { gets_texts: false })
  await updateLinks(tx, links, {
    adulthood_reached_at: nowIso(),
    adulthood_announced_at: nowIso(),
    closes_log_in: false,
    ...WITHDRAWN_CONSENT,
  })
  await endLostAccess(tx, dojoId, [student_id])
  const auditEntries = endedLinks.map(({ guardian_id }) => ({
    subject_id: guardian_id,
    details: { student_id },
  }))
  await auditAction(tx, { id: NO_ACTOR_ID, dojoId }, 'guardian rights ended by age', auditEntries)
  if (!has_log_in && !has_left)
    await notifyStaff(tx, dojoId, 'students.contact', {
      title: `${name} is ${ADULT_AGE}`,
      message:
        `Only instructors see the page until ${firstNames([name])} has a login. ` +
        'Please send an invitation.',
      student_id,
    })
}

async function updateLinks(
  tx: Tx,
  links: GuardianLink[],
  columns: Parameters<ReturnType<typeof tx.update<typeof guardianships>>['set']>[0],
): Promise<void> {
  const [firstLink] = links
  if (!firstLink) return
  await tx
    .update(guardianships)
    .set(columns)
    .where(
      and(
        eq(guardianships.student_id, firstLink.student_id),
        equalsAny(guardianships.guardian_id, pluck(links, 'guardian_id')),
        isActiveLink,
      ),
    )
}
