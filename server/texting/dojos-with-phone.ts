import { and, eq, inArray, max, or, sql } from 'drizzle-orm'
import { auditLog } from '../audit/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { type Tx } from '../db/database.ts'
import { guardianPhones, guardianPhoneEnding, guardians } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { phoneEnding, students } from '../students/tables.ts'
import { wherePhoneEnding } from './phones.ts'
import { phoneLinks } from './conversations/tables.ts'

/** Returns when each dojo first had the phone. For each owner of the phone, that is when the number
 *  last changed (audit log), or else when the owner was added. */
export async function findDojosWithPhone(
  overseerTx: Tx,
  phone: string,
): Promise<Map<string, string>> {
  const studentRows = await overseerTx
    .select({
      id: students.id,
      dojoId: students.dojo_id,
      since: students.created_at,
      typedPhone: students.phone_number,
    })
    .from(students)
    .where(wherePhoneEnding(phoneEnding, [phone]))
  const guardianRows = await overseerTx
    .select({
      id: guardians.id,
      dojoId: guardians.dojo_id,
      since: guardians.created_at,
      typedPhone: guardians.phone,
    })
    .from(guardians)
    .where(wherePhoneEnding(guardianPhoneEnding, [phone]))
  const linkedPhones = await overseerTx
    .select({ dojoId: phoneLinks.dojo_id, since: phoneLinks.created_at })
    .from(phoneLinks)
    .where(eq(phoneLinks.phone, phone))
  const additionalPhones = await overseerTx
    .select({ dojoId: guardianPhones.dojo_id, since: guardianPhones.created_at })
    .from(guardianPhones)
    .where(eq(guardianPhones.phone, phone))
  const owners = [...studentRows, ...guardianRows].filter(
    ({ typedPhone }) => validPhone(typedPhone) === phone,
  )
  const changedAtById = await findLastNumberChanges(overseerTx, owners)
  const ownedPhones = owners.map(({ id, dojoId, since }) => ({
    dojoId,
    since: changedAtById.get(id) ?? since,
  }))
  const sinceByDojo = new Map<string, string>()
  for (const { dojoId, since } of [...ownedPhones, ...linkedPhones, ...additionalPhones]) {
    const earliestSince = sinceByDojo.get(dojoId)
    if (earliestSince === undefined || since < earliestSince) sinceByDojo.set(dojoId, since)
  }
  return sinceByDojo
}

type PhoneOwner = { id: string; dojoId: string }

async function findLastNumberChanges(
  overseerTx: Tx,
  owners: readonly PhoneOwner[],
): Promise<Map<string, string>> {
  if (owners.length === 0) return new Map()
  const dojoIds = [...new Set(owners.map(({ dojoId }) => dojoId))]
  const ids = owners.map(({ id }) => id)
  const isNumberChange = or(
    eq(auditLog.action, 'guardian changed'),
    and(eq(auditLog.action, 'student changed'), sql`${auditLog.details} ? 'phone_number'`),
  )
  const rows = await overseerTx
    .select({ id: auditLog.subject_id, at: max(auditLog.created_at) })
    .from(auditLog)
    .where(
      and(equalsAny(auditLog.dojo_id, dojoIds), inArray(auditLog.subject_id, ids), isNumberChange),
    )
    .groupBy(auditLog.subject_id)
  return new Map(rows.flatMap(({ id, at }) => (id && at ? [[id, at] as const] : [])))
}
