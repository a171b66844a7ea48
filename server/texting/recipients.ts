import type { Month } from '@tatami/contract/calendar-day'
import type { SkipReason } from '@tatami/contract/message-types'
import { and, asc, eq, gte, inArray, isNull, not, sql } from 'drizzle-orm'
import { unknownClasses } from '../classes/classes.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { phonesReached, type Topic } from '../families/phones-reached.ts'
import { notFound } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { paymentPromises, unpaidIn } from '../payments/tables.ts'
import { enrolments, students } from '../students/tables.ts'
import { withdrawnAmong } from './consents.ts'
import { guardiansToText, isUnderAge } from './phones.ts'
import { phoneOptOuts, undeliverablePhones } from './tables.ts'

/** Whom a message is for: the classes (null for all), what it is about, and whether students on trial or with the month paid are excluded. */
export type Audience = {
  topic: Topic
  classIds: string[] | null
  month: Month
  excludeTrial: boolean
  excludePaid: boolean
  /** These students alone. */
  studentIds?: string[] | null
  /** Those who have promised to pay are told apart, and left out where the message is for whoever owes. */
  promises?: { today: string; areExcluded: boolean }
  /** Of a message about fees: what is asked of each student, in dollars. Whoever is asked for nothing is excluded. */
  amounts?: ReadonlyMap<string, number>
  /** Of a message to those who are late: who is. Everybody else is excluded. */
  lateIds?: ReadonlySet<string>
}
/** The phones that a text about a student goes to, or why it goes to none. */
export type Destination = (
  | { phones: string[]; reason: null }
  | { phones: []; reason: SkipReason }
) & {
  /** The day by which somebody has promised to pay, where that is not past. */
  promised_on?: string | null
}
export type Recipient = { id: string; name: string } & Destination

/** Where a text about each student goes; nowhere for somebody who is not among these. */
export function destinationsIn(recipients: Recipient[]): (studentId: string) => Destination {
  const byId = new Map(recipients.map((recipient) => [recipient.id, recipient]))
  return (studentId) => byId.get(studentId) ?? { phones: [], reason: 'no_valid_phone' }
}

/** Every student of the dojo by name, with the phones that a text goes to or the reason why it goes to none; nothing else decides who gets
 *  a message to many. */
export async function resolveRecipients(tx: Tx, audience: Audience): Promise<Recipient[]> {
  const { topic, classIds, studentIds, month, promises, amounts, lateIds } = audience
  if (classIds && (await unknownClasses(tx, classIds)).length > 0) throw notFound('Class')
  const inClass = classIds
    ? inArray(
        students.id,
        tx
          .select({ id: enrolments.student_id })
          .from(enrolments)
          .where(inArray(enrolments.class_id, classIds)),
      )
    : sql`true`
  const rows = await tx
    .select({
      id: students.id,
      name: students.name,
      typed: students.phone_number,
      isUnderAge: isUnderAge(),
      isTrial: students.is_trial,
      onVacation: students.on_vacation,
      awaitsApproval: students.awaits_approval,
      isInClass: sql<boolean>`${inClass}`,
      hasPaid: sql<boolean>`${not(unpaidIn(month))}`,
    })
    .from(students)
    .where(studentIds ? equalsAny(students.id, studentIds) : undefined)
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  if (studentIds && rows.length < new Set(studentIds).size) throw notFound('Student')
  const guardiansOf = await guardiansToText(tx),
    undeliverable = await listUndeliverable(tx)
  const usable = new Map(
    rows.map(({ id, ...student }) => {
      const reached = phonesReached(topic, { ...student, guardians: guardiansOf.get(id) ?? [] })
      return [
        id,
        reached.map(({ phone }) => phone).filter((phone) => !undeliverable.has(`${id} ${phone}`)),
      ]
    }),
  )
  const optedOut = await optedOutAmong(tx, [...new Set([...usable.values()].flat())])
  const promised = promises ? await promisedFrom(tx, promises.today) : new Map<string, string>()
  return rows.map(({ id, name, ...student }) => {
    const valid = usable.get(id)!,
      phones = valid.filter((phone) => !optedOut.has(phone))
    const promised_on = promised.get(id) ?? null
    const found = {
      owesNothing: amounts !== undefined && !amounts.has(id),
      isLate: lateIds === undefined || lateIds.has(id),
      hasPromised: promised_on !== null,
      hasPhone: valid.length > 0,
      isOptedOut: phones.length === 0,
    }
    const reason = skipReasonFor({ ...student, ...found }, audience)
    return {
      id,
      name,
      promised_on,
      ...(reason === null ? { phones, reason } : { phones: [], reason }),
    }
  })
}

type Candidate = {
  hasPhone: boolean
  isInClass: boolean
  onVacation: boolean
  isTrial: boolean
  hasPaid: boolean
  owesNothing: boolean
  isLate: boolean
  hasPromised: boolean
  awaitsApproval: boolean
  isOptedOut: boolean
}

/** The first reason that applies, in the order of SKIP_REASON_LABELS; null for a student who gets the text. */
function skipReasonFor(
  student: Candidate,
  { excludeTrial, excludePaid, promises }: Audience,
): SkipReason | null {
  if (!student.isInClass) return 'not_in_class'
  if (student.onVacation) return 'vacation'
  if (excludeTrial && student.isTrial) return 'trial'
  if (excludePaid && student.hasPaid) return 'paid'
  if (student.owesNothing) return 'owes_nothing'
  if (!student.isLate) return 'not_late'
  if (promises?.areExcluded && student.hasPromised) return 'promised'
  // Whoever has the invitation can type anybody's phone.
  if (student.awaitsApproval) return 'awaits_approval'
  if (!student.hasPhone) return 'no_valid_phone'
  if (student.isOptedOut) return 'opted_out'
  return null
}

/** The day until which each student's fees are promised: the day itself still counts. */
async function promisedFrom(tx: Tx, today: string): Promise<Map<string, string>> {
  const { student_id, promised_on, ended_at } = paymentPromises
  const rows = await tx
    .select({ student_id, promised_on })
    .from(paymentPromises)
    .where(and(isNull(ended_at), gte(promised_on, today)))
  return new Map(rows.map((one) => [one.student_id, one.promised_on]))
}

/** '<student> <phone>' of each number that the provider called undeliverable. */
export async function listUndeliverable(tx: Tx): Promise<Set<string>> {
  const rows = await tx
    .select({ id: undeliverablePhones.student_id, phone: undeliverablePhones.phone })
    .from(undeliverablePhones)
  return new Set(rows.map(({ id, phone }) => `${id} ${phone}`))
}

/** Students whom the message is for although no text reaches them read it in the app. */
const UNREACHED: (SkipReason | null)[] = [null, 'awaits_approval', 'no_valid_phone', 'opted_out']
export const getsNotice = ({ reason }: Recipient): boolean => UNREACHED.includes(reason)

export type OptOut = 'replied_stop' | 'withdrawn'

/** Those of the phones that get no texts, and why: by their own STOP, which counts in every dojo, or because an instructor of this one has
 *  recorded that they no longer agree. */
export async function optedOutAmong(tx: Tx, phones: string[]): Promise<Map<string, OptOut>> {
  const stopped = await tx
    .select({ phone: phoneOptOuts.phone })
    .from(phoneOptOuts)
    .where(equalsAny(phoneOptOuts.phone, phones.flatMap(storedOptOuts)))
  const withdrawn = await withdrawnAmong(tx, phones)
  const stoppedPhones = new Set(stopped.map(({ phone }) => phone))
  const isStopped = (phone: string) =>
    storedOptOuts(phone).some((stored) => stoppedPhones.has(stored))
  return new Map([
    ...[...withdrawn].map((phone) => [phone, 'withdrawn'] as const),
    ...phones.filter(isStopped).map((phone) => [phone, 'replied_stop'] as const),
  ])
}

/** How the opt-out of a phone may be stored: by its number, or by the hash that is left when the phone was nobody's for a time. */
export const storedOptOuts = (phone: string): string[] => [phone, sha256(phone)]

/** Keeps the opt-out of a phone that no dojo has any more as a hash with its date: it still holds when a dojo adds the phone again. */
export async function hashOptOut(tx: Tx, phone: string): Promise<void> {
  const [optOutRow] = await tx.delete(phoneOptOuts).where(eq(phoneOptOuts.phone, phone)).returning()
  if (optOutRow)
    await tx
      .insert(phoneOptOuts)
      .values({ ...optOutRow, phone: sha256(phone) })
      .onConflictDoNothing()
}

/** `simulated` for a keyword that an instructor tries in the simulator: it neither makes nor ends a real opt-out. */
export type OptOutOptions = { simulated?: boolean }

/** Answers whether the phone was opted in before. A real opt-out replaces a simulated one. */
export async function optOut(
  tx: Tx,
  phone: string,
  { simulated = false }: OptOutOptions = {},
): Promise<boolean> {
  const insert = tx.insert(phoneOptOuts).values({ phone, simulated })
  const stored = simulated
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate({
        target: phoneOptOuts.phone,
        set: { simulated },
        setWhere: eq(phoneOptOuts.simulated, true),
      })
  return (await stored.returning({ phone: phoneOptOuts.phone })).length > 0
}

/** Answers whether the phone was opted out before. */
export async function optIn(
  tx: Tx,
  phone: string,
  { simulated = false }: OptOutOptions = {},
): Promise<boolean> {
  const which = and(
    equalsAny(phoneOptOuts.phone, storedOptOuts(phone)),
    simulated ? eq(phoneOptOuts.simulated, true) : undefined,
  )
  return (
    (await tx.delete(phoneOptOuts).where(which).returning({ phone: phoneOptOuts.phone })).length > 0
  )
}

/** An opt-out that was tried in the simulator does not hold for real texts. */
export const deleteSimulatedOptOuts = (tx: Tx) =>
  tx.delete(phoneOptOuts).where(eq(phoneOptOuts.simulated, true))
