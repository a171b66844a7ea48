import { ADULT_AGE, ADULTHOOD_ANNOUNCED_DAYS } from '@tatami/contract/guardians'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { audit } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { notify, notifyInstructors } from '../notifications/notify.ts'
import { adultOn, students } from '../students/tables.ts'
import { guardians, guardianships } from './tables.ts'

/** A birthday that was missed while no server ran is made up for this long. */
const DAYS_AFTER = 60
/** The audit log's actor where nobody acts. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

const isAnnounced = (today: string) =>
  sql`${adultOn} > ${today}::date and ${adultOn} <= ${today}::date + ${ADULTHOOD_ANNOUNCED_DAYS}::int and gs.adulthood_announced_at is null`
// A link that an instructor makes to an adult is meant as it is made.
const isReached = (today: string) =>
  sql`${adultOn} <= ${today}::date and ${adultOn} > ${today}::date - ${DAYS_AFTER}::int and gs.adulthood_reached_at is null and gs.since < ${adultOn}`

/** A query for the overseer: the dojos with a student and a guardian who are to be told, or whose rights end. */
export const dojosWithNewAdults = (today: string): SQL => sql`select s.dojo_id from ${students} s
  join ${guardianships} gs on gs.dojo_id = s.dojo_id and gs.student_id = s.id and gs.ended_at is null
  where ${adultOn} > ${today}::date - ${DAYS_AFTER}::int and ${adultOn} <= ${today}::date + ${ADULTHOOD_ANNOUNCED_DAYS}::int
    and (${isAnnounced(today)} or ${isReached(today)})`

type Row = {
  student_id: string
  name: string
  has_log_in: boolean
  guardian_id: string
  account_id: string | null
  agreed: boolean
  day: string
}

const linksWhere = async (tx: Tx, condition: SQL): Promise<Row[]> =>
  (
    await tx.execute<Row>(sql`select s.id as student_id, s.name, s.email is not null as has_log_in, gs.guardian_id, g.account_id,
      gs.agreed_at is not null as agreed, ${adultOn}::text as day
    from ${students} s join ${guardianships} gs on gs.student_id = s.id and gs.ended_at is null join ${guardians} g on g.id = gs.guardian_id
    where ${condition}`)
  ).rows

/** Tells students, guardians and instructors who comes of age within 30 days, and ends guardians' rights on the day. Each once. */
export async function turnAdults(tx: Tx, dojoId: string, today: string): Promise<void> {
  await announceAdulthood(tx, dojoId, await linksWhere(tx, isAnnounced(today)))
  await reachAdulthood(tx, dojoId, await linksWhere(tx, isReached(today)))
}

const byStudent = (rows: Row[]) => [...Map.groupBy(rows, ({ student_id }) => student_id).values()]
const firstName = (name: string) => name.trim().split(/\s+/, 1)[0]!

async function announceAdulthood(tx: Tx, dojoId: string, rows: Row[]): Promise<void> {
  for (const links of byStudent(rows)) {
    const { student_id, name, has_log_in, day } = links[0]!
    const first = firstName(name)
    if (has_log_in)
      await notify(tx, dojoId, [student_id], {
        title: `You turn ${ADULT_AGE} soon`,
        message: `From ${day} on your page is yours alone. If your guardians may go on seeing it, say so in Settings before.`,
        opens: '/notification-settings',
      })
    const told = links.flatMap(({ account_id }) => account_id ?? [])
    await notify(tx, dojoId, told, {
      title: `${first} turns ${ADULT_AGE} soon`,
      message: `From ${day} on you see ${first}’s page only if ${first} agrees. Whoever pays goes on paying.`,
      student_id,
    })
    await notifyInstructors(tx, dojoId, {
      title: `${name} turns ${ADULT_AGE} soon`,
      message: has_log_in
        ? `On ${day} the guardians stop seeing the page, unless ${first} agrees to it.`
        : `On ${day} the guardians stop seeing the page. ${first} has no log-in yet: please send an invitation.`,
      student_id,
    })
    await mark(tx, links, { adulthood_announced_at: nowIso() })
  }
}

async function reachAdulthood(tx: Tx, dojoId: string, rows: Row[]): Promise<void> {
  for (const links of byStudent(rows)) {
    const { student_id, name, has_log_in } = links[0]!
    const ending = links.filter(({ agreed }) => !agreed)
    await mark(tx, ending, { sees: false, sees_fees: false, may_edit: false })
    await endWhatIsLeftOut(
      tx,
      links.filter(({ agreed }) => agreed),
    )
    // With a phone of their own the texts are theirs; without one they would reach nobody.
    await tx.execute(sql`update ${guardianships} gs set gets_texts = false from ${students} s
      where gs.student_id = ${student_id} and s.id = gs.student_id and s.phone_number is not null and gs.guardian_id = any(${sql.param(idsOf(links))})`)
    await mark(tx, links, { adulthood_reached_at: nowIso(), adulthood_announced_at: nowIso() })
    for (const { guardian_id } of ending)
      await audit(tx, {
        actor_id: NOBODY,
        dojo_id: dojoId,
        action: 'guardian rights ended by age',
        subject_id: guardian_id,
        details: { student_id },
      })
    if (!has_log_in)
      await notifyInstructors(tx, dojoId, {
        title: `${name} is ${ADULT_AGE}`,
        message: `Only instructors see the page until ${firstName(name)} has a log-in. Please send an invitation.`,
        student_id,
      })
  }
}

/** Of guardians to whom the student has agreed, ends what the agreement leaves out. */
const endWhatIsLeftOut = (tx: Tx, links: Row[]) =>
  mark(tx, links, {
    sees_fees: sql`${guardianships.sees_fees} and ${guardianships.agrees_to_fees}`,
    may_edit: sql`${guardianships.may_edit} and ${guardianships.agrees_to_edit}`,
  })

const idsOf = (links: Row[]) => links.map(({ guardian_id }) => guardian_id)

const mark = (tx: Tx, links: Row[], set: Parameters<ReturnType<typeof tx.update<typeof guardianships>>['set']>[0]) =>
  tx
    .update(guardianships)
    .set(set)
    .where(
      and(
        eq(guardianships.student_id, links[0]?.student_id ?? NOBODY),
        equalsAny(guardianships.guardian_id, idsOf(links)),
        isNull(guardianships.ended_at),
      ),
    )
