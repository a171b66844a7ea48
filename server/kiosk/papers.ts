import { findNeedsOfStudents } from '../documents/needed.ts'
import { createSigningLink, signingUrl } from '../documents/links.ts'
import { isUnsigned } from '@tatami/contract/documents/signatures'
import type { Tx } from '../db/database.ts'
import type { Kiosk } from '../http/serve.ts'
import { invalid } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { readPass } from './passes.ts'
import { readKioskDay } from './today.ts'

/** What a student has to sign, with a link for the parent’s phone. Nothing is signed at the
 *  kiosk. */
export async function readPapers(
  tx: Tx,
  kiosk: Kiosk,
  pass: string,
  publicUrl: string,
): Promise<{ names: string[]; link: string | null }> {
  const { settings, kioskId, day } = await readKioskDay(tx, kiosk)
  const identity = readPass({ secret: settings.secret, kioskId, day }, pass)
  if (!identity) throw invalid('pass', 'Please start again')
  const [personNeeds] = await findNeedsOfStudents(tx, kiosk.dojoId, [identity.studentId])
  const openNeeds = (personNeeds?.needs ?? []).filter(({ state }) => isUnsigned(state))
  if (!personNeeds || openNeeds.length === 0) return { names: [], link: null }
  const token = await createSigningLink(tx, kiosk.dojoId, {
    person: personNeeds.person,
    documentIds: pluck(openNeeds, 'document_id'),
    channel: 'kiosk',
    signer: null,
  })
  return { names: pluck(openNeeds, 'name'), link: signingUrl(publicUrl, token) }
}
