import { SPOKEN_WORDING_VERSION } from '@tatami/contract/leads/spoken-consent'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { leadSpokenConsents } from '../leads/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { pick, pluck } from '../lib/rows.ts'
import { sha256 } from '../lib/secrets.ts'
import { withoutPunctuation } from '../texting/conversations/keywords.ts'
import { leadConsents, leads } from './tables.ts'

const THANKS =
  'Thank you! We will text you about your trial class. Reply STOP to end texts, HELP for help.'

/** If a lead replies YES to the text that asks for it, texts may begin. Returns the reply, or null
 *  for any other text. */
export async function confirmTexts(tx: Tx, phone: string, text: string): Promise<string | null> {
  if (withoutPunctuation(text).toUpperCase() !== 'YES') return null
  const askedLeads = await tx
    .select(pick(leads, 'id', 'purposes'))
    .from(leads)
    .innerJoin(leadSpokenConsents, eq(leadSpokenConsents.lead_id, leads.id))
    .where(
      and(
        eq(leads.phone, phone),
        isNotNull(leadSpokenConsents.asked_at),
        isNull(leadSpokenConsents.confirmed_at),
      ),
    )
  if (askedLeads.length === 0) return null
  for (const { id, purposes } of askedLeads)
    await tx
      .update(leads)
      .set({
        purposes: [...new Set([...purposes, 'service_text' as const])],
        last_active_at: nowIso(),
      })
      .where(eq(leads.id, id))
  await tx
    .update(leadSpokenConsents)
    .set({ confirmed_at: nowIso() })
    .where(equalsAny(leadSpokenConsents.lead_id, pluck(askedLeads, 'id')))
  await tx.insert(leadConsents).values({
    purpose: 'service_text',
    contact_hash: sha256(phone),
    wording_version: SPOKEN_WORDING_VERSION,
  })
  return THANKS
}
