/** What members see of their own documents, and of those of their children. */
import type { OwnDocuments, OwnSignature } from '@tatami/contract/documents/signing'
import { and, desc, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { findVisibleStudents } from '../guardians/readers.ts'
import { guardianships } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { toNeededDocument } from './document-lists.ts'
import { createSigningLink, signingUrl } from './links.ts'
import { findNeedsOfStudents, type PersonNeeds } from './needed.ts'
import { isAskedToSign } from './signers.ts'
import { documentVersions, signatureEvents, signatures } from './tables.ts'

/** The payer of a student signs agreements about money, even without seeing the student’s page. */
async function findOwnStudentIds(tx: Tx, caller: DojoCaller): Promise<string[]> {
  const links = await tx
    .select({ student_id: guardianships.student_id, ended_at: guardianships.ended_at })
    .from(guardianships)
    .where(eq(guardianships.guardian_id, caller.id))
  const linkedIds = links.filter(({ ended_at }) => ended_at === null).map((link) => link.student_id)
  return [...new Set([...(await findVisibleStudents(tx, caller)), ...linkedIds])]
}

async function findOwnNeeds(tx: Tx, caller: DojoCaller): Promise<PersonNeeds[]> {
  const today = await todayOf(tx, caller.dojoId)
  const ids = await findOwnStudentIds(tx, caller)
  const peopleNeeds = await findNeedsOfStudents(tx, caller.dojoId, ids)
  return peopleNeeds.map(({ person, needs }) => ({
    person,
    needs: needs.filter((need) =>
      isAskedToSign(need, person, person.id === caller.id ? null : caller.id, today),
    ),
  }))
}

export async function listOwnDocuments(tx: Tx, caller: DojoCaller): Promise<OwnDocuments> {
  const peopleNeeds = await findOwnNeeds(tx, caller)
  return {
    people: peopleNeeds
      .filter(({ needs }) => needs.length > 0)
      .map(({ person, needs }) => ({
        student_id: person.id,
        name: person.name,
        to_sign: needs.map(toNeededDocument),
      })),
    signatures: await listOwnSignatures(tx, caller.id),
  }
}

async function listOwnSignatures(tx: Tx, signerId: string): Promise<OwnSignature[]> {
  const rows = await tx
    .select({
      id: signatures.id,
      document_name: documentVersions.name,
      person_name: signatures.person_name,
      signed_at: signatures.signed_at,
      time_zone: signatures.time_zone,
      expires_on: signatures.expires_on,
      revoked_at: signatureEvents.created_at,
      pdf_hash: signatures.pdf_hash,
    })
    .from(signatures)
    .innerJoin(documentVersions, eq(documentVersions.id, signatures.version_id))
    .leftJoin(
      signatureEvents,
      and(eq(signatureEvents.signature_id, signatures.id), eq(signatureEvents.kind, 'revoked')),
    )
    .where(eq(signatures.signer_id, signerId))
    .orderBy(desc(signatures.signed_at), desc(signatures.id))
  return rows.map(({ pdf_hash, ...row }) => ({ ...row, has_file: pdf_hash !== null }))
}

const NOTHING_TO_SIGN = 'There is nothing to sign anymore.'

export async function createOwnLink(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  publicUrl: string,
): Promise<{ link: string }> {
  const ownNeeds = (await findOwnNeeds(tx, caller)).find(({ person }) => person.id === studentId)
  if (!ownNeeds) throw notFound('Student')
  const { person, needs } = ownNeeds
  if (needs.length === 0) throw new Refusal(409, NOTHING_TO_SIGN)
  const token = await createSigningLink(tx, caller.dojoId, {
    person,
    documentIds: pluck(needs, 'document_id'),
    channel: 'login',
    signer: { kind: person.id === caller.id ? 'student' : 'guardian', id: caller.id },
  })
  return { link: signingUrl(publicUrl, token) }
}
