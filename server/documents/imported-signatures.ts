import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { pluck } from '../lib/rows.ts'
import type { PublishedDocument } from './documents.ts'
import { lastDayOfSignature } from './expiry.ts'
import { findMoment } from './paper-signatures.ts'
import { isAdult, type Person, personIds, readStudentsWithGuardians } from './people.ts'
import { signatureDetails, signatures } from './tables.ts'

/** A sheet says when somebody signed on paper, but not who. */
const UNKNOWN_SIGNER = 'Not named in the import'

type SignedDay = { student_id: string; signed_on: string }

/** Records what was signed on paper before the school used Tatami. There is no PDF. Students who
 *  have signed already are left out. Returns the ids of the new signatures. */
export async function recordImportedSignatures(
  tx: Tx,
  caller: { id: string; dojoId: string },
  document: PublishedDocument,
  signedDays: readonly SignedDay[],
): Promise<string[]> {
  const [version] = document.versions
  if (signedDays.length === 0 || !version) return []
  const today = await todayOf(tx, caller.dojoId)
  const { time_zone } = await dojoById(tx, caller.dojoId)
  const ids = signedDays.map(({ student_id }) => student_id)
  const people = new Map(
    (await readStudentsWithGuardians(tx, ids, today)).map((person) => [person.id, person]),
  )
  const rows: (typeof signatures.$inferInsert & { id: string })[] = []
  for (const { student_id, signed_on } of signedDays) {
    const person = people.get(student_id)
    if (!person) continue
    rows.push({
      id: newId(),
      document_id: document.id,
      version_id: version.id,
      version: version.n,
      ...personIds(person),
      person_name: person.name,
      person_born_on: person.date_of_birth,
      ...describeSigner(person, today),
      answers: [],
      medical_answers: [],
      signed_at: await findMoment(tx, signed_on, today, time_zone),
      time_zone,
      channel: 'paper',
      recorded_by: caller.id,
      needs_confirmation: false,
      expires_on: lastDayOfSignature(document, signed_on),
    })
  }
  return insertSignatures(tx, rows)
}

function describeSigner({ name, ...person }: Person, today: string) {
  if (isAdult(person, today))
    return { signer_kind: 'student' as const, signer_id: person.id, signer_name: name }
  return { signer_kind: 'other' as const, signer_id: null, signer_name: UNKNOWN_SIGNER }
}

async function insertSignatures(
  tx: Tx,
  rows: (typeof signatures.$inferInsert & { id: string })[],
): Promise<string[]> {
  const newIds: string[] = []
  await inChunks(rows, async (chunk) => {
    const newRows = await tx
      .insert(signatures)
      .values(chunk)
      .onConflictDoNothing()
      .returning({ id: signatures.id })
    if (newRows.length > 0)
      await tx.insert(signatureDetails).values(newRows.map(({ id }) => ({ signature_id: id })))
    newIds.push(...pluck(newRows, 'id'))
  })
  return newIds
}
