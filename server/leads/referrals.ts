import type { ReferralLink } from '@tatami/contract/leads/referrals'
import { SOURCE_PATH } from '@tatami/contract/leads/sources'
import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { toDataURL } from 'qrcode'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { requireCurrent, requireStudent } from '../guardians/guardianships.ts'
import { isPaidRecord, paymentRecords } from '../ledger/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { students } from '../students/tables.ts'
import { leads } from '../trials/tables.ts'
import { createCode } from './source-codes.ts'
import { leadVisitors, referralLinks } from './tables.ts'

/** Creates the link at the first call. The link does not name the student. */
export async function createReferralLink(
  tx: Tx,
  studentId: string,
  publicUrl: string,
): Promise<ReferralLink> {
  requireCurrent(await requireStudent(tx, studentId))
  await tx
    .insert(referralLinks)
    .values({ student_id: studentId, code: createCode('friend') })
    .onConflictDoNothing()
  const { code } = firstRow(
    await tx.select().from(referralLinks).where(eq(referralLinks.student_id, studentId)),
  )
  const link = `${publicUrl}${SOURCE_PATH}/${code}`
  return { link, qr: await toDataURL(link, { margin: 1, width: 320 }) }
}

export async function readReferrer(tx: Tx, id: string | null) {
  if (id === null) return null
  const [student] = await tx
    .select(pick(students, 'id', 'name'))
    .from(students)
    .where(eq(students.id, id))
  return student ?? null
}

const isUntold = and(isNotNull(leads.referred_by), isNull(leads.referral_told_at))

/** For the overseer: the dojos with friends of students who may pay for the first time. */
export const findDojosWithReferrals = (): SQL =>
  sql`select ${leads.dojo_id} from ${leads} where ${isUntold}`

/** Tells the school once about each friend of a student who has paid a first month. */
export async function announceReferrals(tx: Tx, dojoId: string): Promise<void> {
  const friends = await tx
    .select({
      lead_id: leads.id,
      referred_by: leads.referred_by,
      friend_id: students.id,
      friend_name: students.name,
    })
    .from(leads)
    .innerJoin(leadVisitors, eq(leadVisitors.lead_id, leads.id))
    .innerJoin(students, eq(students.id, leadVisitors.student_id))
    .where(isUntold)
    .orderBy(asc(leads.id), asc(students.name))
  const payingIds = await findPayingStudents(tx, pluck(friends, 'friend_id'))
  const payingFriends = friends.filter(({ friend_id }) => payingIds.has(friend_id))
  for (const [leadId, [friend]] of Map.groupBy(payingFriends, ({ lead_id }) => lead_id)) {
    await tx.update(leads).set({ referral_told_at: nowIso() }).where(eq(leads.id, leadId))
    const referrer = friend && (await readReferrer(tx, friend.referred_by))
    if (referrer)
      await notifyStaff(tx, dojoId, 'money.see', {
        title: `${referrer.name} brought a friend`,
        message:
          `${friend.friend_name} came through the link of ${referrer.name} and has paid the first ` +
          'month. This is a good moment to say thank you.',
        student_id: referrer.id,
      })
  }
}

async function findPayingStudents(tx: Tx, studentIds: string[]): Promise<Set<string>> {
  const rows = await tx
    .selectDistinct({ id: paymentRecords.student_id })
    .from(paymentRecords)
    .where(and(equalsAny(paymentRecords.student_id, studentIds), isPaidRecord))
  return new Set(pluck(rows, 'id'))
}
