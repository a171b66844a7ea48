import { eq, or, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { documentVisitors, signatureEvents, signatures } from './tables.ts'
import type { Person } from './people.ts'

/** What a signature means for who still has to sign. */
export type SignatureRecord = {
  id: string
  person_id: string
  document_id: string
  version: number
  signer_kind: (typeof signatures.$inferSelect)['signer_kind']
  signer_id: string | null
  signer_name: string
  signed_at: string
  /** The day of the signature where the school is. */
  signed_on: string
  expires_on: string | null
  renewed_id: string | null
  is_revoked: boolean
  is_unconfirmed: boolean
}

const hasEvent = (kind: 'confirmed' | 'revoked') => sql<boolean>`exists (
  select from ${signatureEvents} where ${signatureEvents.dojo_id} = ${signatures.dojo_id}
    and ${signatureEvents.signature_id} = ${signatures.id} and ${signatureEvents.kind} = ${kind})`

export const isRevoked = hasEvent('revoked')
export const isUnconfirmed = sql<boolean>`(${signatures.needs_confirmation}
  and not ${hasEvent('confirmed')})`

/** Person id → signatures, the newest first. A student also has the signatures from before they
 *  enrolled. */
export async function readSignatureRecords(
  tx: Tx,
  people: readonly Pick<Person, 'id'>[],
): Promise<Map<string, SignatureRecord[]>> {
  const ids = people.map(({ id }) => id)
  const personId = sql<string>`coalesce(${signatures.student_id}, ${documentVisitors.student_id},
    ${signatures.visitor_id})`
  const rows = await tx
    .select({
      id: signatures.id,
      person_id: personId,
      document_id: signatures.document_id,
      version: signatures.version,
      signer_kind: signatures.signer_kind,
      signer_id: signatures.signer_id,
      signer_name: signatures.signer_name,
      signed_at: signatures.signed_at,
      signed_on: sql<string>`((${signatures.signed_at} at time zone
        ${signatures.time_zone})::date)::text`,
      expires_on: signatures.expires_on,
      renewed_id: signatures.renewed_id,
      is_revoked: isRevoked,
      is_unconfirmed: isUnconfirmed,
    })
    .from(signatures)
    .leftJoin(documentVisitors, eq(documentVisitors.id, signatures.visitor_id))
    .where(
      or(
        equalsAny(signatures.student_id, ids),
        equalsAny(signatures.visitor_id, ids),
        equalsAny(documentVisitors.student_id, ids),
      ),
    )
    .orderBy(sql`${signatures.signed_at} desc`, sql`${signatures.id} desc`)
  return Map.groupBy(rows, ({ person_id }) => person_id)
}
