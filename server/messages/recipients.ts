import type { Month } from '@tatami/contract/lib/calendar-day'
import type { SkipReason } from '@tatami/contract/texting/message-types'
import { and, gte, inArray, isNull, not, sql } from 'drizzle-orm'
import { findUnknownClasses } from '../classes/classes.ts'
import { equalsAny } from '../db/bulk.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { findTextedPhones, type Topic } from '../guardians/texted-phones.ts'
import { notFound } from '../lib/refusal.ts'
import { paymentPromises, unpaidIn } from '../ledger/tables.ts'
import { enrollments, isCurrentStudent, students } from '../students/tables.ts'
import { findTextedGuardians, isUnderAge } from '../texting/phones.ts'
import { listUndeliverableKeys, findOptOuts } from '../texting/opt-outs.ts'
import { type Destination } from '../texting/destinations.ts'

export type Audience = {
  topic: Topic
  classIds: string[] | null
  month: Month
  excludeTrial: boolean
  excludePaid: boolean
  studentIds?: string[] | null
  /** For messages about fees: whether to skip students who promised to pay later. */
  promises?: { today: string; areExcluded: boolean }
  /** The amount that each student is asked to pay, in dollars. Students without one are skipped. */
  amounts?: ReadonlyMap<string, number>
  /** Students whose money is on its way. They are skipped. */
  onItsWayIds?: ReadonlySet<string>
  /** Students for whom autopay will pay. They are skipped, unless they were selected one by one. */
  autopaidIds?: ReadonlySet<string>
  /** Students who are past due. If set, all other students are skipped. */
  lateIds?: ReadonlySet<string>
}

export type Recipient = { id: string; name: string } & Destination

export function createDestinationLookup(
  recipients: Recipient[],
): (studentId: string) => Destination {
  const recipientById = new Map(recipients.map((recipient) => [recipient.id, recipient]))
  return (studentId) => recipientById.get(studentId) ?? { phones: [], reason: 'no_valid_phone' }
}

async function findStudents(tx: Tx, { topic, classIds, studentIds, month }: Audience) {
  if (classIds && (await findUnknownClasses(tx, classIds)).length > 0) throw notFound('Class')
  const enrolledIds = tx
    .select({ id: enrollments.student_id })
    .from(enrollments)
    .where(inArray(enrollments.class_id, classIds ?? []))
  const rows = await tx
    .select({
      id: students.id,
      name: students.name,
      typedPhone: students.phone_number,
      isUnderAge: isUnderAge(),
      isTrial: students.is_trial,
      onVacation: students.on_vacation,
      awaitsApproval: students.awaits_approval,
      leftOn: students.left_on,
      isInClass: sql<boolean>`${classIds ? inArray(students.id, enrolledIds) : true}`,
      hasPaid: sql<boolean>`${not(unpaidIn(month))}`,
    })
    .from(students)
    .where(studentIds ? equalsAny(students.id, studentIds) : isCurrentStudent)
    .orderBy(...byName(students))
  if (studentIds && rows.length < new Set(studentIds).size) throw notFound('Student')
  const guardiansByStudent = await findTextedGuardians(tx)
  const undeliverableKeys = await listUndeliverableKeys(tx)
  return rows.map((row) => ({
    ...row,
    phones: findTextedPhones(topic, { ...row, guardians: guardiansByStudent.get(row.id) ?? [] })
      .map(({ phone }) => phone)
      .filter((phone) => !undeliverableKeys.has(`${row.id} ${phone}`)),
  }))
}

export async function resolveRecipients(tx: Tx, audience: Audience): Promise<Recipient[]> {
  const { promises, amounts, onItsWayIds, autopaidIds, lateIds } = audience
  const audienceStudents = await findStudents(tx, audience)
  const optedOutPhones = await findOptOuts(tx, [
    ...new Set(audienceStudents.flatMap(({ phones }) => phones)),
  ])
  const promisedDays = promises
    ? await findPromisedDays(tx, promises.today)
    : new Map<string, string>()
  return audienceStudents.map((student) => {
    const { id, name } = student
    const phones = student.phones.filter((phone) => !optedOutPhones.has(phone))
    const promised_on = promisedDays.get(id) ?? null
    const moreCriteria = {
      hasLeft: student.leftOn !== null,
      owesNothing: amounts !== undefined && !amounts.has(id),
      isOnItsWay: onItsWayIds?.has(id) ?? false,
      isAutopaid: autopaidIds?.has(id) ?? false,
      isLate: lateIds === undefined || lateIds.has(id),
      hasPromised: promised_on !== null,
      hasPhone: student.phones.length > 0,
      isOptedOut: phones.length === 0,
    }
    const reason = findSkipReason({ ...student, ...moreCriteria }, audience)
    const destination: Destination = reason === null ? { phones, reason } : { phones: [], reason }
    return { id, name, ...destination, promised_on }
  })
}

type SkipCriteria = {
  hasLeft: boolean
  hasPhone: boolean
  isInClass: boolean
  onVacation: boolean
  isTrial: boolean
  hasPaid: boolean
  owesNothing: boolean
  isOnItsWay: boolean
  isAutopaid: boolean
  isLate: boolean
  hasPromised: boolean
  awaitsApproval: boolean
  isOptedOut: boolean
}

function findSkipReason(
  student: SkipCriteria,
  { excludeTrial, excludePaid, promises }: Audience,
): SkipReason | null {
  if (student.hasLeft) return 'left'
  if (!student.isInClass) return 'not_in_class'
  if (student.onVacation) return 'vacation'
  if (excludeTrial && student.isTrial) return 'trial'
  if (excludePaid && student.hasPaid) return 'paid'
  if (student.owesNothing) return 'owes_nothing'
  if (student.isOnItsWay) return 'on_its_way'
  if (!student.isLate) return 'not_late'
  if (promises?.areExcluded && student.hasPromised) return 'promised'
  if (promises?.areExcluded && student.isAutopaid) return 'autopaid'
  // A student who awaits approval may have entered somebody else's phone.
  if (student.awaitsApproval) return 'awaits_approval'
  if (!student.hasPhone) return 'no_valid_phone'
  if (student.isOptedOut) return 'opted_out'
  return null
}

/** Finds the day by which each student promised to pay, unless that day is over. */
async function findPromisedDays(tx: Tx, today: string): Promise<Map<string, string>> {
  const { student_id, promised_on, ended_at } = paymentPromises
  const rows = await tx
    .select({ student_id, promised_on })
    .from(paymentPromises)
    .where(and(isNull(ended_at), gte(promised_on, today)))
  return new Map(rows.map((row) => [row.student_id, row.promised_on]))
}

/** Students who get no text for one of these reasons still get the message in the app. */
const NOTICE_REASONS: (SkipReason | null)[] = [
  null,
  'awaits_approval',
  'no_valid_phone',
  'opted_out',
]

export const getsNotice = ({ reason }: Recipient): boolean => NOTICE_REASONS.includes(reason)
