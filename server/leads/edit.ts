import type { eventForm, leadForm, newLeadForm, nextStepForm } from '@tatami/contract/leads/leads'
import { NEXT_STEP_DAYS, UNMERGE_DAYS } from '@tatami/contract/leads/leads'
import { addDays, DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, eq, notInArray, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { auditAction } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { requireStudent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { now, nowIso } from '../lib/clock.ts'
import { formatFullDate } from '../lib/format-day.ts'
import { validPhone } from '../lib/phone.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { findLikelyPerson } from '../trials/leads.ts'
import { joinVisitor } from '../trials/join-lead.ts'
import { recordEvent } from '../trials/lead-events.ts'
import { leads } from '../trials/tables.ts'
import { findSimilarLeads } from './leads.ts'
import { requireLead } from './require-lead.ts'
import { deleteLead } from './retention.ts'
import { type LeadRow, listVisitors, readStories } from '../trials/lead-stories.ts'
import { leadSpokenConsents, leadVisitors } from './tables.ts'

type LeadForm = z.output<typeof leadForm>
type NewLeadForm = z.output<typeof newLeadForm>
type EventForm = z.output<typeof eventForm>
type NextStepForm = z.output<typeof nextStepForm>

/** Throws 422 for a phone number that nobody can call. */
function readContact({ phone, email }: Pick<LeadForm, 'phone' | 'email'>) {
  if (!phone) return { phone: null, email: email ?? null }
  const fullNumber = validPhone(phone)
  if (!fullNumber) throw invalid('phone', 'Phone must be a complete phone number')
  return { phone: fullNumber, email: email ?? null }
}

/** Returns the id of the new lead. Throws 409 if another lead has the same phone or email. */
export async function addLead(tx: Tx, caller: DojoCaller, form: NewLeadForm): Promise<string> {
  const contact = readContact(form)
  const [similarLead] = form.adds_anyway ? [] : await findSimilarLeads(tx, contact)
  if (similarLead) {
    const { time_zone } = await dojoById(tx, caller.dojoId)
    const addedOn = formatFullDate(todayIn(time_zone, new Date(similarLead.created_at)))
    throw new Refusal(409, `Is this ${similarLead.name}, a lead since ${addedOn}?`)
  }
  const likelyPerson = await findLikelyPerson(tx, contact)
  const id = newId()
  await tx.insert(leads).values({
    id,
    ...contact,
    name: form.name,
    is_for: isForSelf(form) ? 'self' : 'child',
    language: 'en',
    interest: form.interest ?? null,
    source: form.source,
    likely_person_id: likelyPerson?.id ?? null,
    likely_person: likelyPerson?.description ?? null,
    created_by: caller.id,
    last_active_at: nowIso(),
  })
  await addVisitors(tx, id, form.visitors)
  if (form.note) await recordEvent(tx, caller, id, { kind: 'note', note: form.note })
  await auditAction(tx, caller, 'lead added', { subject_id: id })
  return id
}

const isForSelf = ({ name, visitors }: Pick<LeadForm, 'name' | 'visitors'>): boolean =>
  visitors.some((visitor) => visitor.name.toLowerCase() === name.toLowerCase())

/** A visitor who is named twice is one. */
function addVisitors(tx: Tx, leadId: string, visitors: LeadForm['visitors']) {
  const visitorByName = new Map(visitors.map((visitor) => [visitor.name, visitor]))
  return tx
    .insert(leadVisitors)
    .values([...visitorByName.values()].map(({ name, age }) => ({ lead_id: leadId, name, age })))
    .onConflictDoUpdate({
      target: [leadVisitors.dojo_id, leadVisitors.lead_id, leadVisitors.name],
      set: { name: sql`excluded.name`, age: sql`excluded.age` },
    })
}

/** An agreement is about one phone or one email, so it ends when that one changes. */
const keptPurposes = (lead: LeadRow, contact: Pick<LeadRow, 'phone' | 'email'>) =>
  lead.purposes.filter((purpose) =>
    purpose === 'service_text' ? lead.phone === contact.phone : lead.email === contact.email,
  )

/** Visitors who joined stay, even if the form leaves them out. */
export async function changeLead(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  form: LeadForm,
): Promise<void> {
  const lead = await requireLead(tx, id)
  const contact = readContact(form)
  const names = form.visitors.map(({ name }) => name.toLowerCase())
  await tx
    .update(leads)
    .set({
      ...contact,
      purposes: keptPurposes(lead, contact),
      name: form.name,
      is_for: isForSelf(form) ? 'self' : 'child',
      interest: form.interest ?? null,
      source: form.source,
    })
    .where(eq(leads.id, id))
  if (lead.phone !== contact.phone)
    await tx.delete(leadSpokenConsents).where(eq(leadSpokenConsents.lead_id, id))
  await tx
    .delete(leadVisitors)
    .where(
      and(
        eq(leadVisitors.lead_id, id),
        isNull(leadVisitors.student_id),
        notInArray(sql`lower(${leadVisitors.name})`, names),
      ),
    )
  await addVisitors(tx, id, form.visitors)
  await auditAction(tx, caller, 'lead changed', { subject_id: id })
}

const STEP_IS_FAR = 'Choose a day between today and a year from now'

export async function setNextStep(
  tx: Tx,
  dojoId: string,
  id: string,
  form: NextStepForm,
): Promise<void> {
  await requireLead(tx, id)
  const today = await todayOf(tx, dojoId)
  const day = form.next_step_on
  if (day && (day < today || day > addDays(today, NEXT_STEP_DAYS)))
    throw invalid('next_step_on', STEP_IS_FAR)
  await tx
    .update(leads)
    .set({
      next_step: form.next_step ?? null,
      next_step_on: form.next_step_on ?? null,
      last_active_at: nowIso(),
    })
    .where(eq(leads.id, id))
}

export async function addEvent(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  form: EventForm,
): Promise<void> {
  await requireLead(tx, id)
  await recordEvent(tx, caller, id, form)
}

/** The merged lead keeps its own story, so that the merge can be undone. */
export async function mergeLead(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  intoId: string,
): Promise<void> {
  if (id === intoId) throw invalid('into_id', 'A lead cannot be merged into itself')
  // Both are locked in the same order, so that two merges at once cannot wait for each other.
  for (const leadId of [id, intoId].toSorted()) await requireLead(tx, leadId)
  await tx
    .update(leads)
    .set({ merged_into: intoId, merged_at: nowIso() })
    .where(or(eq(leads.id, id), eq(leads.merged_into, id)))
  await recordEvent(tx, caller, intoId, { kind: 'merged' })
  await auditAction(tx, caller, 'leads merged', { subject_id: intoId })
}

/** Throws 404 for a lead that is not merged, and 409 for a merge that is too old. */
export async function unmergeLead(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const [lead] = await tx.select().from(leads).where(eq(leads.id, id)).for('update')
  if (!lead?.merged_into || !lead.merged_at) throw notFound('Lead')
  if (now().getTime() - Date.parse(lead.merged_at) > UNMERGE_DAYS * DAY_MS)
    throw new Refusal(409, `A merge can be undone for ${UNMERGE_DAYS} days.`)
  await tx.update(leads).set({ merged_into: null, merged_at: null }).where(eq(leads.id, id))
  await recordEvent(tx, caller, lead.merged_into, { kind: 'unmerged' })
  await auditAction(tx, caller, 'merge of leads undone', { subject_id: id })
}

/** Throws 409 if the visitor joined before. */
export async function joinLead(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  { visitor_name, student_id }: { visitor_name: string; student_id: string },
): Promise<void> {
  await requireLead(tx, id)
  await requireStudent(tx, student_id)
  const [story] = await readStories(tx, eq(leads.id, id))
  const visitor =
    story &&
    listVisitors(story).find(({ name }) => name.toLowerCase() === visitor_name.toLowerCase())
  if (!visitor) throw notFound('Visitor')
  if (visitor.student_id) throw new Refusal(409, `${visitor.name} is a student already.`)
  await joinVisitor(tx, caller, story, visitor, student_id)
}

export async function removeLead(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  await requireLead(tx, id)
  await deleteLead(tx, id)
  await auditAction(tx, caller, 'lead deleted', { subject_id: id })
}
