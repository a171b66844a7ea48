import type { Signature } from '@tatami/contract/documents/signatures'
import {
  NOT_A_SCAN,
  type PaperSignatureForm,
  SCAN_TOO_LARGE,
} from '@tatami/contract/documents/documents'
import { sql } from 'drizzle-orm'
import { findInstructorName } from '../accounts/instructors.ts'
import { auditAction } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import { firstRow } from '../lib/rows.ts'
import { cleanPicture } from '../pictures/clean-picture.ts'
import { lastDayOfSignature } from './expiry.ts'
import { findNeedsOfPerson } from './needed.ts'
import { composePaper, type NewSignature } from './paper.ts'
import { type Person, personIds } from './people.ts'
import { drawSignature, type SignaturePaper } from './signature-drawing.ts'
import { readSignatureRecords } from './signature-records.ts'
import { readSignature } from './signatures.ts'
import { findRenewedId, storeSignature } from './store-signature.ts'

const MAX_SCAN_BYTES = 600_000
const MAX_SCAN_SIDE = 3000

/** Removes metadata, such as where the photo was taken. */
function parseScan(base64: string): Buffer {
  const file = Buffer.from(base64, 'base64')
  if (file.length > MAX_SCAN_BYTES) throw invalid('photo', SCAN_TOO_LARGE)
  const picture = cleanPicture(file)
  if (picture?.media_type !== 'image/jpeg') throw invalid('photo', NOT_A_SCAN)
  if (Math.max(picture.width, picture.height) > MAX_SCAN_SIDE)
    throw invalid('photo', SCAN_TOO_LARGE)
  return picture.bytes
}

/** Nobody knows the time of an earlier day, so it is noon. */
export async function findMoment(
  tx: Tx,
  day: string,
  today: string,
  timeZone: string,
): Promise<string> {
  if (day === today) return nowIso()
  const { rows } = await tx.execute<{ noon: Date | string }>(
    sql`select (${day}::date + time '12:00') at time zone ${timeZone} as noon`,
  )
  return new Date(firstRow(rows).noon).toISOString()
}

function describeSigner(
  person: Person,
  { guardian_id, relation }: PaperSignatureForm,
): Pick<NewSignature, 'signer_kind' | 'signer_id' | 'relation'> {
  if (guardian_id !== undefined) {
    const guardian = person.guardians.find((link) => link.guardian_id === guardian_id)
    if (!guardian) throw notFound('Guardian')
    return { signer_kind: 'guardian', signer_id: guardian_id, relation: guardian.relation }
  }
  if (relation !== undefined) return { signer_kind: 'other', signer_id: null, relation }
  return { signer_kind: 'student', signer_id: person.id, relation: null }
}

type Preparation = { signature: NewSignature; paper: SignaturePaper | null }

async function preparePaper(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  form: PaperSignatureForm,
): Promise<Preparation> {
  const photo = form.photo === undefined ? null : parseScan(form.photo)
  const today = await todayOf(tx, caller.dojoId)
  if (form.signed_on > today) throw invalid('signed_on', 'The day must not be in the future')
  const { person, needs } = await findNeedsOfPerson(
    tx,
    caller.dojoId,
    { kind: 'student', id: studentId },
    [form.document_id],
  )
  const need = needs.find(({ document_id }) => document_id === form.document_id)
  const version = need?.document.versions[0]
  if (!need || !version) throw notFound('Document')
  if (person.date_of_birth !== null && form.signed_on < person.date_of_birth)
    throw invalid('signed_on', 'The day must not be before the date of birth')
  const { name: dojoName, time_zone } = await dojoById(tx, caller.dojoId)
  const signature: NewSignature = {
    id: newId(),
    document_id: need.document_id,
    version_id: version.id,
    version: version.n,
    ...personIds(person),
    person_name: person.name,
    person_born_on: person.date_of_birth,
    ...describeSigner(person, form),
    signer_name: form.signer_name,
    answers: [],
    medical_answers: [],
    signed_at: await findMoment(tx, form.signed_on, today, time_zone),
    time_zone,
    channel: 'paper',
    recorded_by: caller.id,
    // The member of staff has seen the paper.
    needs_confirmation: false,
    expires_on: lastDayOfSignature(need.document, form.signed_on),
  }
  const records = (await readSignatureRecords(tx, [person])).get(person.id) ?? []
  const recorderName = await findInstructorName(tx, caller.id)
  return {
    signature: { ...signature, renewed_id: findRenewedId(records, signature, today) },
    paper: photo && {
      ...composePaper({ dojoName, document: need.document, version, signature, recorderName }),
      // The words on the paper may differ from the published text.
      body: 'The next page is a photo of the signed paper.',
      photo,
    },
  }
}

/** Records what somebody signed on paper. With a photo, there is a PDF; without one, only the name
 *  of the member of staff. */
export async function recordPaperSignature(
  db: Database,
  caller: DojoCaller,
  studentId: string,
  form: PaperSignatureForm,
  idempotently: (
    tx: Tx,
    work: () => Promise<{ signature: Signature }>,
  ) => Promise<{ signature: Signature }>,
): Promise<{ signature: Signature }> {
  const { signature, paper } = await db.inDojo(caller.dojoId, (tx) =>
    preparePaper(tx, caller, studentId, form),
  )
  const pdf = paper && (await drawSignature(paper))
  return db.inDojo(caller.dojoId, (tx) =>
    idempotently(tx, async () => {
      const { row, isNew } = await storeSignature(tx, signature, pdf, {
        email: null,
        phone: null,
        address: null,
        device: null,
        copyHash: null,
      })
      if (isNew)
        await auditAction(tx, caller, 'paper signature recorded', { subject_id: studentId })
      return { signature: await readSignature(tx, row.id) }
    }),
  )
}
