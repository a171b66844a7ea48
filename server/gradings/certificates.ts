import { yearOf } from '@tatami/contract/lib/calendar-day'
import { randomBytes } from 'node:crypto'
import type { CertificateCheck } from '@tatami/contract/gradings/certificates'
import type { Belt, PromotionKind, ShownRank } from '@tatami/contract/lib/ranks'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { auditAction } from '../audit/audit.ts'
import { toShownRank } from '../belts/current-ranks.ts'
import { beltChanges, ranks } from '../belts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { asOverseer, type Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById, readBeltTestLabels } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { lockStudents } from '../ledger/ledger.ts'
import { type PictureFile, readLogoFile } from '../pictures/pictures.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { findCandidates, requireGrading } from './read-grading.ts'
import { candidates, certificateCounters, certificates } from './tables.ts'
import { firstRow, getOrThrow, pluck } from '../lib/rows.ts'

export type Certificate = {
  dojo_name: string
  logo: PictureFile | null
  color: string | null
  time_zone: string
  student_name: string
  rank: ShownRank
  given_on: string
  examiner: string | null
  instructor: string | null
  number: string
  code: string
}

const undoingChange = alias(beltChanges, 'undoing')

const findPromotions = (tx: Tx, ids: string[]) =>
  tx
    .select({
      change: beltChanges,
      rank: ranks,
      student_name: students.name,
      instructor: instructors.name,
      undone_by: undoingChange.id,
    })
    .from(beltChanges)
    .innerJoin(students, eq(students.id, beltChanges.student_id))
    .leftJoin(ranks, eq(ranks.id, beltChanges.rank_id))
    .leftJoin(instructors, eq(instructors.id, beltChanges.changed_by))
    .leftJoin(undoingChange, eq(undoingChange.undoes, beltChanges.id))
    .where(equalsAny(beltChanges.id, ids))

/** The rank of a belt change without `rank_id`, which gave one of the seven belts. */
const sevenBeltsRank = (id: string, level: Belt): ShownRank => ({
  id,
  name: `${level.charAt(0).toUpperCase()}${level.slice(1)}`,
  colours: [level],
  pattern: 'solid',
  tags_count: 0,
  tags_colour: null,
})

/** Assigns numbers to new certificates. Throws 404 for an unknown promotion, 409 for an undone
 *  promotion and for a stripe. */
export async function issueCertificates(
  tx: Tx,
  caller: DojoCaller,
  promotionIds: string[],
): Promise<Certificate[]> {
  const requestedRows = await findPromotions(tx, promotionIds)
  if (requestedRows.length < new Set(promotionIds).size) throw notFound('Promotion')
  // Undoing a promotion also locks the student, so none of these can be undone after this lock.
  await lockStudents(
    tx,
    requestedRows.map(({ change }) => change.student_id),
  )
  const lockedRows = await findPromotions(tx, promotionIds)
  const rowsById = new Map(lockedRows.map((row) => [row.change.id, row]))
  const promotions = promotionIds.map((id) => getOrThrow(rowsById, id))
  for (const { change, undone_by } of promotions) {
    if (undone_by !== null || change.undoes !== null)
      throw new Refusal(409, 'This promotion was undone, so there is no certificate.')
    if (change.kind === 'stripe')
      throw new Refusal(409, 'There are certificates for ranks, but not for stripes.')
  }
  const { name: dojo_name, color, time_zone } = await dojoById(tx, caller.dojoId)
  const logo = await readLogoFile(tx)
  const numbersById = await numberCertificates(tx, promotionIds, yearOf(todayIn(time_zone)))
  await auditAction(tx, caller, 'certificates printed', {
    ...(promotions.length === 1 && { subject_id: firstRow(promotions).change.student_id }),
    details: { certificates: promotions.length },
  })
  return promotions.map(({ change, rank, student_name, instructor }) => ({
    dojo_name,
    logo,
    color,
    time_zone,
    student_name,
    instructor,
    rank: rank ? toShownRank(rank) : sevenBeltsRank(change.id, change.belt_level),
    given_on: change.given_on,
    examiner: change.examiner,
    ...getOrThrow(numbersById, change.id),
  }))
}

const formatNumber = ({ year, number }: { year: number; number: number }) => `${year}-${number}`

/** The caller has locked the students, so no other request creates the same certificates. */
async function numberCertificates(
  tx: Tx,
  promotionIds: string[],
  year: number,
): Promise<Map<string, { number: string; code: string }>> {
  const existingCertificates = await tx
    .select()
    .from(certificates)
    .where(equalsAny(certificates.belt_change_id, promotionIds))
  const numberedIds = new Set(pluck(existingCertificates, 'belt_change_id'))
  const unnumberedIds = promotionIds.filter((id) => !numberedIds.has(id))
  const lastNumber =
    unnumberedIds.length > 0 ? await takeNumbers(tx, year, unnumberedIds.length) : 0
  const newCertificates = unnumberedIds.map((belt_change_id, index) => ({
    belt_change_id,
    year,
    number: lastNumber - unnumberedIds.length + 1 + index,
    code: randomBytes(16).toString('base64url'),
  }))
  if (newCertificates.length > 0) await tx.insert(certificates).values(newCertificates)
  return new Map(
    [...existingCertificates, ...newCertificates].map((certificate) => [
      certificate.belt_change_id,
      { number: formatNumber(certificate), code: certificate.code },
    ]),
  )
}

/** Takes `count` new numbers and returns the last one. A failed transaction uses up no numbers. */
async function takeNumbers(tx: Tx, year: number, count: number): Promise<number> {
  const counters = await tx
    .insert(certificateCounters)
    .values({ year, last_number: count })
    .onConflictDoUpdate({
      target: [certificateCounters.dojo_id, certificateCounters.year],
      set: { last_number: sql`${certificateCounters.last_number} + ${count}` },
    })
    .returning({ last_number: certificateCounters.last_number })
  return firstRow(counters).last_number
}

/** Throws 409 if the belt test is not finished, or if no one was promoted. */
export async function findPromotionsOfGrading(tx: Tx, gradingId: string): Promise<string[]> {
  const grading = await requireGrading(tx, gradingId)
  if (grading.finished_at === null) {
    const { singular } = await readBeltTestLabels(tx)
    throw new Refusal(409, `Finish the ${singular} first.`)
  }
  const effectiveRows = await tx
    .select({ id: candidates.belt_change_id })
    .from(candidates)
    .leftJoin(undoingChange, eq(undoingChange.undoes, candidates.belt_change_id))
    .where(
      and(
        eq(candidates.grading_id, gradingId),
        eq(candidates.result, 'pass'),
        sql`${undoingChange.id} is null`,
      ),
    )
  const effectiveIds = new Set(pluck(effectiveRows, 'id'))
  const ids = (await findCandidates(tx, gradingId))
    .flatMap(({ candidate }) => candidate.belt_change_id ?? [])
    .filter((id) => effectiveIds.has(id))
  if (ids.length === 0) throw new Refusal(409, 'No one was promoted.')
  return ids
}

const CERTIFIED_KINDS: ReadonlySet<PromotionKind> = new Set(['promotion', 'skip', 'import'])

/** Throws 404 for an unknown batch, 409 if all of its promotions were undone. */
export async function findPromotionsOfBatch(tx: Tx, batchId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: beltChanges.id, kind: beltChanges.kind, undone_by: undoingChange.id })
    .from(beltChanges)
    .innerJoin(students, eq(students.id, beltChanges.student_id))
    .leftJoin(undoingChange, eq(undoingChange.undoes, beltChanges.id))
    .where(and(eq(beltChanges.act_id, batchId), isNull(beltChanges.undoes)))
    .orderBy(asc(students.name), asc(beltChanges.id))
  if (rows.length === 0) throw notFound('Act')
  const promotions = rows.filter(
    ({ kind, undone_by }) => undone_by === null && CERTIFIED_KINDS.has(kind),
  )
  if (promotions.length === 0)
    throw new Refusal(409, 'There is no certificate: these promotions were undone.')
  return pluck(promotions, 'id')
}

/** Looks for the code in every dojo, because the caller belongs to none. Throws 404 if it is
 *  unknown. */
export async function checkCertificate(tx: Tx, code: string): Promise<CertificateCheck> {
  const [row] = await asOverseer(tx, (overseerTx) =>
    overseerTx
      .select({
        certificate: certificates,
        change: beltChanges,
        rank: ranks,
        undone_by: undoingChange.id,
      })
      .from(certificates)
      .innerJoin(
        beltChanges,
        and(
          eq(beltChanges.dojo_id, certificates.dojo_id),
          eq(beltChanges.id, certificates.belt_change_id),
        ),
      )
      .leftJoin(
        ranks,
        and(eq(ranks.dojo_id, beltChanges.dojo_id), eq(ranks.id, beltChanges.rank_id)),
      )
      .leftJoin(
        undoingChange,
        and(
          eq(undoingChange.dojo_id, beltChanges.dojo_id),
          eq(undoingChange.undoes, beltChanges.id),
        ),
      )
      .where(eq(certificates.code, code)),
  )
  if (!row) throw notFound('Certificate')
  const { certificate, change, rank, undone_by } = row
  return {
    state: certificate.revoked_at === null && undone_by === null ? 'valid' : 'revoked',
    number: formatNumber(certificate),
    rank: rank ? toShownRank(rank) : sevenBeltsRank(change.id, change.belt_level),
    given_on: change.given_on,
  }
}
