import type { Signature } from '@tatami/contract/documents/signatures'
import { birthdayOf } from '@tatami/contract/lib/calendar-day'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { aliasedTable, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import { Readable } from 'node:stream'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/dojos.ts'
import type { FileReply } from '../http/file-reply.ts'
import { type DojoCaller, requireRight } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { instructors } from '../sensei/tables.ts'
import { isUnconfirmed } from './signature-records.ts'
import {
  documentVersions,
  documentVisitors,
  signatureDetails,
  signatureEvents,
  signatureFiles,
  signatures,
} from './tables.ts'

const revocations = aliasedTable(signatureEvents, 'revocations')

const ofStudent = (id: string): SQL | undefined =>
  or(eq(signatures.student_id, id), eq(documentVisitors.student_id, id))

export const listSignaturesOfStudent = (tx: Tx, studentId: string): Promise<Signature[]> =>
  readSignatures(tx, ofStudent(studentId))

async function readSignatures(tx: Tx, condition: SQL | undefined): Promise<Signature[]> {
  const rows = await tx
    .select({
      signature: signatures,
      student_id: sql<string | null>`coalesce(${signatures.student_id},
        ${documentVisitors.student_id})`,
      document_name: documentVersions.name,
      language: documentVersions.language,
      phone: signatureDetails.phone,
      recorded_by: instructors.name,
      needs_confirmation: isUnconfirmed,
      revoked_at: revocations.created_at,
      revoked_reason: revocations.reason,
    })
    .from(signatures)
    .innerJoin(documentVersions, eq(documentVersions.id, signatures.version_id))
    .leftJoin(documentVisitors, eq(documentVisitors.id, signatures.visitor_id))
    .leftJoin(signatureDetails, eq(signatureDetails.signature_id, signatures.id))
    .leftJoin(instructors, eq(instructors.id, signatures.recorded_by))
    .leftJoin(
      revocations,
      sql`${revocations.signature_id} = ${signatures.id} and ${revocations.kind} = 'revoked'`,
    )
    .where(condition)
    .orderBy(desc(signatures.signed_at), desc(signatures.id))
  return rows.map(({ signature, ...row }) => ({
    ...signature,
    ...row,
    is_signed_as_minor: isSignedAsMinor(signature),
    has_file: signature.pdf_hash !== null,
  }))
}

function isSignedAsMinor({
  signer_kind,
  person_born_on,
  signed_at,
  time_zone,
}: typeof signatures.$inferSelect): boolean {
  if (signer_kind === 'student' || person_born_on === null) return false
  return todayIn(time_zone, new Date(signed_at)) < birthdayOf(person_born_on, ADULT_AGE)
}

export async function readSignature(tx: Tx, id: string): Promise<Signature> {
  const [signature] = await readSignatures(tx, eq(signatures.id, id))
  if (!signature) throw notFound('Signature')
  return signature
}

const subjectOf = ({ student_id }: Signature) => (student_id ? { subject_id: student_id } : {})

/** Does nothing if the signature is confirmed already. */
export async function confirmSignature(tx: Tx, caller: DojoCaller, id: string): Promise<Signature> {
  const signature = await readSignature(tx, id)
  if (!signature.needs_confirmation) return signature
  await addEvent(tx, caller, id, { kind: 'confirmed', reason: null })
  await auditAction(tx, caller, 'signature confirmed', subjectOf(signature))
  return readSignature(tx, id)
}

/** Refuses with 409 if the signature is revoked already. */
export async function revokeSignature(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  reason: string,
): Promise<Signature> {
  const signature = await readSignature(tx, id)
  if (!(await addEvent(tx, caller, id, { kind: 'revoked', reason })))
    throw new Refusal(409, 'This signature is revoked already')
  await auditAction(tx, caller, 'signature revoked', subjectOf(signature))
  return readSignature(tx, id)
}

async function addEvent(
  tx: Tx,
  caller: DojoCaller,
  signature_id: string,
  event: Pick<typeof signatureEvents.$inferInsert, 'kind' | 'reason'>,
): Promise<boolean> {
  const rows = await tx
    .insert(signatureEvents)
    .values({ signature_id, ...event, created_by: caller.id })
    .onConflictDoNothing()
    .returning({ kind: signatureEvents.kind })
  return rows.length > 0
}

const toPdfReply = (bytes: Buffer): FileReply => ({
  name: 'signed-copy.pdf',
  body: Readable.from([bytes]),
})

async function readFile(tx: Tx, condition: SQL | undefined): Promise<FileReply> {
  const [file] = await tx
    .select({ bytes: signatureFiles.bytes })
    .from(signatures)
    .innerJoin(signatureFiles, eq(signatureFiles.signature_id, signatures.id))
    .where(condition)
  if (!file) throw notFound('File')
  return toPdfReply(file.bytes)
}

/** A PDF with medical answers is only for staff who may read medical notes. */
export async function readFileForStaff(
  tx: Tx,
  { staff }: DojoCaller,
  id: string,
): Promise<FileReply> {
  const [row] = await tx
    .select({ medical_answers: signatures.medical_answers })
    .from(signatures)
    .where(eq(signatures.id, id))
  if (!row) throw notFound('File')
  if (row.medical_answers.length > 0) requireRight(staff, 'medical')
  return readFile(tx, eq(signatures.id, id))
}

export const readFileOfSigner = (tx: Tx, signerId: string, id: string): Promise<FileReply> =>
  readFile(tx, sql`${signatures.id} = ${id} and ${signatures.signer_id} = ${signerId}`)

export const readFileByCopy = (tx: Tx, copy: string): Promise<FileReply> =>
  readFile(tx, eq(signatures.copy_hash, sha256(copy)))
