import { isUnsigned } from '@tatami/contract/documents/signatures'
import type { Greeting } from '@tatami/contract/kiosk/kiosk'
import { toDataURL } from 'qrcode'
import type { Tx } from '../db/database.ts'
import { createSigningLink, signingUrl } from '../documents/links.ts'
import { findNeedsOfStudents } from '../documents/needed.ts'
import { pluck } from '../lib/rows.ts'

export type GreetingPapers = NonNullable<Greeting['papers']>

/** Student id → the documents that are not signed yet, with a link to sign them on a parent's
 *  phone. Nothing is signed at the kiosk. */
export async function readPapers(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
  publicUrl: string,
): Promise<Map<string, GreetingPapers>> {
  const papers = new Map<string, GreetingPapers>()
  for (const { person, needs } of await findNeedsOfStudents(tx, dojoId, studentIds)) {
    const openNeeds = needs.filter(({ state }) => isUnsigned(state) && state !== 'unconfirmed')
    if (openNeeds.length === 0) continue
    const token = await createSigningLink(tx, dojoId, {
      person,
      documentIds: pluck(openNeeds, 'document_id'),
      channel: 'kiosk',
      signer: null,
    })
    papers.set(person.id, {
      names: pluck(openNeeds, 'name'),
      qr: await toDataURL(signingUrl(publicUrl, token)),
    })
  }
  return papers
}
