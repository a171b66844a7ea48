import type { SkipReason } from '@tatami/contract/message-types'
import type { Month } from '@tatami/contract/month'
import { and, asc, eq, inArray, not, sql } from 'drizzle-orm'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { unknownClasses } from '../classes/classes.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { unpaidIn } from '../payments/tables.ts'
import { enrolments, students } from '../students/tables.ts'
import { optedOutAmong } from './opt-outs.ts'
import { undeliverablePhones } from './tables.ts'

/** Whom a message is for: the classes (null for all), and whether students on trial or with the month paid are excluded. */
export type Audience = { classIds: string[] | null; month: Month; excludeTrial: boolean; excludePaid: boolean }
/** The phone that a text goes to, or why none goes. */
export type Destination = { phone: string; reason: null } | { phone: null; reason: SkipReason }
export type Recipient = { id: string; name: string } & Destination

/** Every student of the dojo by name, with the phone that a text goes to or the reason why none goes; nothing else decides who gets one. */
export async function resolveRecipients(tx: Tx, audience: Audience): Promise<Recipient[]> {
  const { classIds, month } = audience
  if (classIds && (await unknownClasses(tx, classIds)).length > 0) throw notFound('Class')
  const inClass = classIds
    ? inArray(students.id, tx.select({ id: enrolments.student_id }).from(enrolments).where(inArray(enrolments.class_id, classIds)))
    : sql`true`
  const rows = await tx
    .select({
      id: students.id,
      name: students.name,
      typed: students.phone_number,
      isTrial: students.is_trial,
      onVacation: students.on_vacation,
      isInClass: sql<boolean>`${inClass}`,
      hasPaid: sql<boolean>`${not(unpaidIn(month))}`,
      undeliverable: sql<
        string[]
      >`array(select ${undeliverablePhones.phone} from ${undeliverablePhones} where ${and(eq(undeliverablePhones.dojo_id, students.dojo_id), eq(undeliverablePhones.student_id, students.id))})`,
    })
    .from(students)
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  const phones = new Map(rows.map(({ id, typed, undeliverable }) => [id, usablePhone(typed, undeliverable)]))
  const optedOut = await optedOutAmong(
    tx,
    [...phones.values()].filter((phone) => phone !== null),
  )
  return rows.map(({ id, name, ...student }) => {
    const phone = phones.get(id) ?? null
    const reason = skipReasonFor({ ...student, phone, isOptedOut: phone !== null && optedOut.has(phone) }, audience)
    return { id, name, ...(reason === null ? { phone: phone!, reason } : { phone: null, reason }) }
  })
}

type Candidate = { phone: string | null; isInClass: boolean; onVacation: boolean; isTrial: boolean; hasPaid: boolean; isOptedOut: boolean }

/** The first reason that applies, in the order of SKIP_REASON_LABELS; null for a student who gets the text. */
function skipReasonFor(student: Candidate, { excludeTrial, excludePaid }: Audience): SkipReason | null {
  if (!student.isInClass) return 'not_in_class'
  if (student.onVacation) return 'vacation'
  if (excludeTrial && student.isTrial) return 'trial'
  if (excludePaid && student.hasPaid) return 'paid'
  if (student.phone === null) return 'no_valid_phone'
  if (student.isOptedOut) return 'opted_out'
  return null
}

function usablePhone(typed: string | null, undeliverable: string[]): string | null {
  const phone = validPhone(typed)
  return phone && !undeliverable.includes(phone) ? phone : null
}

/** A typed phone number as E.164 (+15125550142), in the United States where no country is given; null for what cannot be one. */
export function validPhone(typed: string | null): string | null {
  const parsed = typed ? parsePhoneNumberFromString(typed, 'US') : undefined
  return parsed?.isValid() ? parsed.number : null
}

/** Students whom the message is for although no text reaches them read it in the app. */
export const getsNotice = ({ reason }: Recipient): boolean => reason === null || reason === 'no_valid_phone' || reason === 'opted_out'
