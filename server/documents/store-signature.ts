import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { sha256Hex } from './hashes.ts'
import type { NewSignature } from './paper.ts'
import type { SignatureRecord } from './signature-records.ts'
import { signatureDetails, signatureFiles, signatures } from './tables.ts'

export type SignatureRow = typeof signatures.$inferSelect

/** The signature that a new one of the same signer follows, because it is revoked or over. A second
 *  press finds the same one, so that only one of two presses signs. */
export function findRenewedId(
  records: readonly SignatureRecord[],
  { document_id, version, signer_id = null, signer_name }: NewSignature,
  today: string,
): string | null {
  const latest = records.find(
    (record) =>
      record.document_id === document_id &&
      record.version === version &&
      (signer_id === null
        ? record.signer_id === null &&
          record.signer_name.toLowerCase() === signer_name.toLowerCase()
        : record.signer_id === signer_id),
  )
  if (!latest) return null
  const isOver = latest.is_revoked || (latest.expires_on !== null && latest.expires_on < today)
  return isOver ? latest.id : latest.renewed_id
}

type Contact = Pick<typeof signatureDetails.$inferInsert, 'email' | 'phone' | 'address' | 'device'>
type StoredSignature = { row: SignatureRow; isNew: boolean }

/** Stores the signature with its PDF, unless the same person has just signed the same version. The
 *  second answer is the first. */
export async function storeSignature(
  tx: Tx,
  signature: NewSignature,
  pdf: Uint8Array | null,
  { copyHash, ...contact }: Contact & { copyHash: string | null },
): Promise<StoredSignature> {
  const [newRow] = await tx
    .insert(signatures)
    .values({
      ...signature,
      pdf_hash: pdf === null ? null : sha256Hex(pdf),
      copy_hash: copyHash,
    })
    .onConflictDoNothing()
    .returning()
  if (!newRow) return { row: await readFirstSignature(tx, signature), isNew: false }
  if (pdf !== null)
    await tx.insert(signatureFiles).values({ signature_id: newRow.id, bytes: Buffer.from(pdf) })
  await tx.insert(signatureDetails).values({ signature_id: newRow.id, ...contact })
  return { row: newRow, isNew: true }
}

async function readFirstSignature(tx: Tx, signature: NewSignature): Promise<SignatureRow> {
  const { document_id, version, signer_id, signer_name, renewed_id } = signature
  const personId = signature.student_id ?? signature.visitor_id ?? ''
  const [row] = await tx
    .select()
    .from(signatures)
    .where(
      and(
        eq(signatures.document_id, document_id),
        eq(signatures.version, version),
        or(eq(signatures.student_id, personId), eq(signatures.visitor_id, personId)),
        sql`coalesce(${signatures.signer_id}::text, lower(${signatures.signer_name}))
          = coalesce(${signer_id ?? null}::text, lower(${signer_name}))`,
        renewed_id ? eq(signatures.renewed_id, renewed_id) : isNull(signatures.renewed_id),
      ),
    )
  return mustExist(row, 'The first signature')
}
