import { type Lead, type LeadDetails, UNMERGE_DAYS } from '@tatami/contract/leads/leads'
import type { DueLeads } from '@tatami/contract/dashboard/dashboard'
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, asc, eq, isNotNull, isNull, lte, ne, or } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { requireStudent } from '../guardians/guardianships.ts'
import { now } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { pick, pluck } from '../lib/rows.ts'
import { findOptOuts } from '../texting/opt-outs.ts'
import { leads } from '../trials/tables.ts'
import { addStaffNames, describeLead, listEvents, readStories } from '../trials/lead-stories.ts'
import { readReferrer } from './referrals.ts'
import { readSpokenConsent } from './spoken-consents.ts'
import { leadVisitors } from './tables.ts'

type LeadList = 'open' | 'joined' | 'lost'
const listOf = ({ stage }: Lead): LeadList =>
  stage === 'joined' || stage === 'lost' ? stage : 'open'

/** Open leads begin with the earliest next step. Leads without a next step come last, newest first.
 *  Joined and lost leads begin with the newest. */
export async function listLeads(tx: Tx, list: LeadList, today: string): Promise<Lead[]> {
  const stories = await readStories(tx)
  const listedLeads = stories
    .map((story) => describeLead(story, today))
    .filter((lead) => listOf(lead) === list)
  return listedLeads.toSorted((a, b) => {
    if (list === 'open' && a.next_step_on !== b.next_step_on)
      return (a.next_step_on ?? '9999') < (b.next_step_on ?? '9999') ? -1 : 1
    return a.stage_since > b.stage_since ? -1 : 1
  })
}

const SHOWN_DUE_LEADS = 7

/** The leads whose next step is due today or overdue, oldest step first. */
export async function readDueLeads(tx: Tx, today: string): Promise<DueLeads> {
  const isDue = and(isNull(leads.merged_into), lte(leads.next_step_on, today))
  const dueLeads = await tx
    .select({ name: leads.name })
    .from(leads)
    .where(isDue)
    .orderBy(asc(leads.next_step_on), asc(leads.created_at), asc(leads.id))
    .limit(SHOWN_DUE_LEADS)
  const isComplete = dueLeads.length < SHOWN_DUE_LEADS
  return {
    names: pluck(dueLeads, 'name'),
    total: isComplete ? dueLeads.length : await tx.$count(leads, isDue),
  }
}

export async function readLead(tx: Tx, id: string, today: string): Promise<LeadDetails> {
  const [story] = await readStories(tx, eq(leads.id, id))
  if (!story) throw notFound('Lead')
  const unmergeableSince = new Date(now().getTime() - UNMERGE_DAYS * DAY_MS).toISOString()
  return {
    ...describeLead(story, today),
    last_source: story.lead.last_source,
    referred_by: await readReferrer(tx, story.lead.referred_by),
    has_stopped_texts: await hasStoppedTexts(tx, story.lead.phone),
    may_be_texted: [story.lead, ...story.mergedLeads].some(
      ({ phone, purposes }) => phone === story.lead.phone && purposes.includes('service_text'),
    ),
    spoken_consent: await readSpokenConsent(tx, pluck([story.lead, ...story.mergedLeads], 'id')),
    events: await addStaffNames(tx, listEvents(story).toReversed()),
    bookings: story.bookings
      .toSorted((a, b) => (a.class_date > b.class_date ? -1 : 1))
      .map((booking) => ({
        ...pick(booking, 'id', 'visitor_name', 'state'),
        class_name: booking.told_class,
        day: booking.class_date,
        time: booking.told_time,
      })),
    similar_leads: await findSimilarLeads(tx, story.lead),
    merged_leads: story.mergedLeads
      .filter(({ merged_at }) => merged_at !== null && merged_at > unmergeableSince)
      .map((mergedLead) => pick(mergedLead, 'id', 'name')),
  }
}

const hasStoppedTexts = async (tx: Tx, phone: string | null): Promise<boolean> =>
  phone !== null && (await findOptOuts(tx, [phone])).has(phone)

/** The lead from which a student came. */
export async function findLeadOfStudent(tx: Tx, studentId: string): Promise<string | null> {
  await requireStudent(tx, studentId)
  const [visitor] = await tx
    .select({ id: leads.id, merged_into: leads.merged_into })
    .from(leadVisitors)
    .innerJoin(leads, eq(leads.id, leadVisitors.lead_id))
    .where(eq(leadVisitors.student_id, studentId))
    .limit(1)
  return visitor ? (visitor.merged_into ?? visitor.id) : null
}

type Contact = { email: string | null; phone: string | null }

/** Finds the leads who have the same email or phone. */
export function findSimilarLeads(tx: Tx, { id, email, phone }: Contact & { id?: string }) {
  return tx
    .select(pick(leads, 'id', 'name', 'created_at'))
    .from(leads)
    .where(
      and(
        isNull(leads.merged_into),
        id === undefined ? undefined : ne(leads.id, id),
        or(
          and(isNotNull(leads.email), eq(leads.email, email ?? '')),
          and(isNotNull(leads.phone), eq(leads.phone, phone ?? '')),
        ),
      ),
    )
    .orderBy(asc(leads.created_at), asc(leads.id))
}
