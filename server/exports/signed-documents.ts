import { asc, eq } from 'drizzle-orm'
import { signatureFiles, signatures } from '../documents/tables.ts'
import type { Tx } from '../db/database.ts'
import { firstRow } from '../lib/rows.ts'
import type { ExportSource } from './blocks.ts'
import type { ZipEntry } from './zip.ts'

/** The PDF of each signature, under its id. A file is read when the zip reaches it. */
export async function listSignedFiles({ tx, signal }: ExportSource): Promise<ZipEntry[]> {
  const rows = await tx
    .select({ id: signatures.id })
    .from(signatures)
    .innerJoin(signatureFiles, eq(signatureFiles.signature_id, signatures.id))
    .orderBy(asc(signatures.id))
  return rows.map(({ id }) => ({
    name: `signed-documents/${id}.pdf`,
    async *content() {
      signal.throwIfAborted()
      yield await readBytes(tx, id)
    },
  }))
}

async function readBytes(tx: Tx, signatureId: string): Promise<Buffer> {
  const rows = await tx
    .select({ bytes: signatureFiles.bytes })
    .from(signatureFiles)
    .where(eq(signatureFiles.signature_id, signatureId))
  return firstRow(rows).bytes
}
