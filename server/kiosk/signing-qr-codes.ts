import { isUnsigned } from '@tatami/contract/documents/signatures'
import type { Greeting } from '@tatami/contract/kiosk/kiosk'
import { toDataURL } from 'qrcode'
import type { Tx } from '../db/database.ts'
import { createSigningLink, signingUrl } from '../documents/links.ts'
import { findNeedsOfStudents } from '../documents/needed.ts'
import { pluck } from '../lib/rows.ts'

/** The names of documents to sign, and a QR code for the parent's phone. */
export type UnsignedDocuments = NonNullable<Greeting['papers']>

/** Creates a link for each student who has documents to sign, by student id. A parent opens it on
 *  a phone, because nothing is signed at the kiosk. */
export async function createSigningQrCodes(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
  publicUrl: string,
): Promise<Map<string, UnsignedDocuments>> {
  const unsignedDocuments = new Map<string, UnsignedDocuments>()
  const students = await findNeedsOfStudents(tx, dojoId, studentIds)
  for (const { person, needs: requiredDocuments } of students) {
    // An unconfirmed signature waits for an instructor, so the parent has nothing left to sign.
    const documentsToSign = requiredDocuments.filter(
      ({ state }) => isUnsigned(state) && state !== 'unconfirmed',
    )
    if (documentsToSign.length === 0) continue
    const token = await createSigningLink(tx, dojoId, {
      person,
      documentIds: pluck(documentsToSign, 'document_id'),
      channel: 'kiosk',
      signer: null,
    })
    unsignedDocuments.set(person.id, {
      names: pluck(documentsToSign, 'name'),
      qr: await toDataURL(signingUrl(publicUrl, token)),
    })
  }
  return unsignedDocuments
}
