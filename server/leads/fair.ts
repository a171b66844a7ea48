import type { FairLeadForm } from '@tatami/contract/leads/fair'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { pick } from '../lib/rows.ts'
import { sha256 } from '../lib/secrets.ts'
import { leadConsents, leads } from '../trials/tables.ts'
import { addLead } from './edit.ts'

/** Refuses no phone number, because the visitor is long gone. A wrong number becomes a note. The
 *  lead itself asks later whether it is the same person as another one. */
export async function addFairLead(tx: Tx, caller: DojoCaller, form: FairLeadForm): Promise<void> {
  const email = form.email ?? null
  const phone = form.phone ? validPhone(form.phone) : null
  const id = await addLead(tx, caller, {
    ...pick(form, 'name', 'visitors', 'interest', 'source'),
    email,
    phone,
    note: form.phone && !phone ? `Phone number as typed: ${form.phone}` : null,
    adds_anyway: true,
  })
  const contacts = { service_text: phone, marketing: email }
  const purposes = form.purposes.filter((purpose) => contacts[purpose] !== null)
  if (purposes.length === 0) return
  await tx.update(leads).set({ purposes }).where(eq(leads.id, id))
  await tx.insert(leadConsents).values(
    purposes.map((purpose) => ({
      purpose,
      contact_hash: sha256(contacts[purpose] ?? ''),
      wording_version: form.wording_version,
      at: earlierOf(form.taken_at, nowIso()),
    })),
  )
}

/** The clock of a device may be wrong. */
const earlierOf = (first: string, second: string): string =>
  Date.parse(first) < Date.parse(second) ? first : second
