/** What happens to signatures after the person is deleted: waivers are kept as proof for some
 *  years, without contact data, and everything else is deleted. */
import { and, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { now } from '../lib/clock.ts'
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { readRules, type Rules } from './documents.ts'
import { documents, documentVisitors, signatureDetails, signatures } from './tables.ts'

/** Visitors who did not become students are deleted after this time. */
const VISITOR_DAYS = 365
/** The 20th birthday and two years. */
const AGE_AT_END = 22
const YEARS_WITHOUT_BIRTHDAY = 2

const isWaiver = sql`exists (select from ${documents} where
  ${documents.dojo_id} = ${signatures.dojo_id} and ${documents.id} = ${signatures.document_id}
  and ${documents.kind} = 'waiver')`

/** The last day on which a waiver is kept. */
function lastDayOfWaiver({ kept_years }: Rules, lastClassDay: string): SQL {
  const afterClass = (years: number) =>
    sql`(${lastClassDay}::date + make_interval(years => ${years}::int))::date`
  if (kept_years !== null) return afterClass(kept_years)
  return sql`greatest(${afterClass(YEARS_WITHOUT_BIRTHDAY)},
    (${signatures.person_born_on} + make_interval(years => ${AGE_AT_END}::int))::date)`
}

async function retireSignatures(
  tx: Tx,
  isOfPerson: SQL | undefined,
  lastClassDay: string,
): Promise<void> {
  await tx.delete(signatures).where(and(isOfPerson, sql`not ${isWaiver}`))
  const delete_on = lastDayOfWaiver(await readRules(tx), lastClassDay)
  await tx
    .update(signatureDetails)
    .set({
      email: null,
      phone: null,
      address: null,
      device: null,
      delete_on: sql`(select ${delete_on} from ${signatures}
        where ${signatures.dojo_id} = ${signatureDetails.dojo_id}
          and ${signatures.id} = ${signatureDetails.signature_id})`,
    })
    .where(
      inArray(
        signatureDetails.signature_id,
        tx.select({ id: signatures.id }).from(signatures).where(isOfPerson),
      ),
    )
}

const isOfStudent = (tx: Tx, studentId: string) =>
  or(
    eq(signatures.student_id, studentId),
    inArray(
      signatures.visitor_id,
      tx
        .select({ id: documentVisitors.id })
        .from(documentVisitors)
        .where(eq(documentVisitors.student_id, studentId)),
    ),
  )

/** Called before a student is deleted. */
export async function retireSignaturesOfStudent(
  tx: Tx,
  dojoId: string,
  studentId: string,
): Promise<void> {
  const [lastClass] = await tx
    .select({ day: sql<string | null>`max(${attendance.class_date})::text` })
    .from(attendance)
    .where(and(eq(attendance.student_id, studentId), eq(attendance.present, true)))
  const lastClassDay = lastClass?.day ?? (await todayOf(tx, dojoId))
  await retireSignatures(tx, isOfStudent(tx, studentId), lastClassDay)
  await tx.delete(documentVisitors).where(eq(documentVisitors.student_id, studentId))
}

/** How many waivers stay after a student is deleted. */
export const countKeptWaivers = (tx: Tx, studentId: string): Promise<number> =>
  tx.$count(signatures, and(isOfStudent(tx, studentId), isWaiver))

/** Deletes waivers whose time is over, visitors who never became students, and signatures of people
 *  who were deleted in another way, such as by undoing an import. */
export async function deleteEndedSignatures(tx: Tx, _dojoId: string, today: string): Promise<void> {
  const oldestVisit = new Date(now().getTime() - VISITOR_DAYS * DAY_MS).toISOString()
  await tx
    .delete(documentVisitors)
    .where(and(isNull(documentVisitors.student_id), lt(documentVisitors.created_at, oldestVisit)))
  const isUnretired = sql`not exists (select from ${signatureDetails}
    where ${signatureDetails.dojo_id} = ${signatures.dojo_id}
      and ${signatureDetails.signature_id} = ${signatures.id}
      and ${signatureDetails.delete_on} is not null)`
  const isOfNobody = and(isNull(signatures.student_id), isNull(signatures.visitor_id), isUnretired)
  await retireSignatures(tx, isOfNobody, today)
  await tx
    .delete(signatures)
    .where(
      inArray(
        signatures.id,
        tx
          .select({ id: signatureDetails.signature_id })
          .from(signatureDetails)
          .where(lt(signatureDetails.delete_on, today)),
      ),
    )
}
