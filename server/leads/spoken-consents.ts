import type { LeadDetails } from '@tatami/contract/leads/leads'
import type { SpokenConsentForm } from '@tatami/contract/leads/spoken-consent'
import { asc, eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { hourIn, todayIn } from '../dojos/calendar.ts'
import { type Dojo, dojoById } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { instructors } from '../sensei/tables.ts'
import { readUsageToday } from '../texting/allowance.ts'
import { queueBatch } from '../texting/batches.ts'
import { findOptOuts } from '../texting/opt-outs.ts'
import { requireLead } from './require-lead.ts'
import { leadSpokenConsents } from './tables.ts'

/** The text that asks for YES goes out between 8 AM and this hour. */
const FIRST_TEXT_HOUR = 8
const LAST_TEXT_HOUR = 21

/** Writes down what the lead said, and sends one text that asks for YES. If the text cannot go out
 *  now, a later call sends it. Throws 409 if the lead cannot be asked. */
export async function recordSpokenConsent(
  tx: Tx,
  caller: DojoCaller,
  leadId: string,
  form: SpokenConsentForm,
): Promise<void> {
  const { phone, purposes } = await requireLead(tx, leadId)
  const dojo = await dojoById(tx, caller.dojoId)
  if (form.said_on > todayIn(dojo.time_zone))
    throw invalid('said_on', 'Day must not be in the future')
  if (phone === null) throw new Refusal(409, 'This lead has no phone number.')
  if (purposes.includes('service_text')) throw new Refusal(409, 'This lead already gets texts.')
  if ((await findOptOuts(tx, [phone])).has(phone))
    throw new Refusal(409, 'This phone gets no texts, because its owner ended them. Please call.')
  const [earlierConsent] = await tx
    .select()
    .from(leadSpokenConsents)
    .where(eq(leadSpokenConsents.lead_id, leadId))
  if (earlierConsent?.asked_at) throw new Refusal(409, 'This phone was asked already.')
  const isAsked = await askForYes(tx, dojo, phone)
  const consent = {
    ...form,
    recorded_by: caller.id,
    created_at: nowIso(),
    asked_at: isAsked ? nowIso() : null,
  }
  await tx
    .insert(leadSpokenConsents)
    .values({ lead_id: leadId, ...consent })
    .onConflictDoUpdate({
      target: [leadSpokenConsents.dojo_id, leadSpokenConsents.lead_id],
      set: consent,
    })
  await auditAction(tx, caller, 'lead consent recorded', { subject_id: leadId })
}

/** Returns false at night, and after the daily limit of texts. */
async function askForYes(tx: Tx, { id, name, time_zone }: Dojo, phone: string): Promise<boolean> {
  const hour = hourIn(time_zone)
  if (hour < FIRST_TEXT_HOUR || hour >= LAST_TEXT_HOUR) return false
  if ((await readUsageToday(tx)).remaining_messages < 1) return false
  const text =
    `${name}: you told us that we may text you about a trial class. Reply YES to agree. ` +
    'Without a YES, we will not text you. Reply STOP to end texts. Message and data rates may apply.'
  await queueBatch(tx, id, { kind: 'trial', text, texts: [{ phone, text, students: [] }] })
  return true
}

/** The newest consent of a lead and of the leads that were merged into it. */
export async function readSpokenConsent(
  tx: Tx,
  leadIds: readonly string[],
): Promise<LeadDetails['spoken_consent']> {
  const rows = await tx
    .select({
      ...pick(leadSpokenConsents, 'said_on', 'words', 'asked_at', 'confirmed_at'),
      recorded_by_name: instructors.name,
    })
    .from(leadSpokenConsents)
    .leftJoin(instructors, eq(instructors.id, leadSpokenConsents.recorded_by))
    .where(equalsAny(leadSpokenConsents.lead_id, [...leadIds]))
    .orderBy(asc(leadSpokenConsents.created_at), asc(leadSpokenConsents.lead_id))
  return rows.at(-1) ?? null
}
