import type { Lead, LeadEvent } from '@tatami/contract/leads/leads'
import { findStage, isOpenStage, type Stage } from '@tatami/contract/leads/stages'
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, asc, isNull, type SQL } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { pick, pluck } from '../lib/rows.ts'
import { instructors } from '../sensei/tables.ts'
import { bookings, leads } from './tables.ts'
import { leadEvents, leadVisitors } from '../leads/tables.ts'

export type LeadRow = typeof leads.$inferSelect
export type BookingRow = typeof bookings.$inferSelect
type EventRow = typeof leadEvents.$inferSelect
type VisitorRow = typeof leadVisitors.$inferSelect

/** A lead with everything that belongs to it and to the leads that were merged into it. */
export type LeadStory = {
  lead: LeadRow
  mergedLeads: LeadRow[]
  events: EventRow[]
  bookings: BookingRow[]
  visitors: VisitorRow[]
}

/** Reads leads, except merged ones. */
export async function readStories(tx: Tx, condition?: SQL): Promise<LeadStory[]> {
  const leadRows = await tx
    .select()
    .from(leads)
    .where(and(isNull(leads.merged_into), condition))
    .orderBy(asc(leads.created_at), asc(leads.id))
  const mergedRows = await tx
    .select()
    .from(leads)
    .where(equalsAny(leads.merged_into, pluck(leadRows, 'id')))
    .orderBy(asc(leads.created_at), asc(leads.id))
  const ids = pluck([...leadRows, ...mergedRows], 'id')
  const eventRows = await tx.select().from(leadEvents).where(equalsAny(leadEvents.lead_id, ids))
  const bookingRows = await tx.select().from(bookings).where(equalsAny(bookings.lead_id, ids))
  const visitorRows = await tx
    .select()
    .from(leadVisitors)
    .where(equalsAny(leadVisitors.lead_id, ids))
    .orderBy(asc(leadVisitors.created_at), asc(leadVisitors.id))
  const mergedByLead = Map.groupBy(mergedRows, ({ merged_into }) => merged_into)
  const eventsByLead = Map.groupBy(eventRows, ({ lead_id }) => lead_id)
  const bookingsByLead = Map.groupBy(bookingRows, ({ lead_id }) => lead_id)
  const visitorsByLead = Map.groupBy(visitorRows, ({ lead_id }) => lead_id)
  return leadRows.map((lead) => {
    const mergedLeads = mergedByLead.get(lead.id) ?? []
    const storyIds = [lead.id, ...pluck(mergedLeads, 'id')]
    return {
      lead,
      mergedLeads,
      events: storyIds.flatMap((id) => eventsByLead.get(id) ?? []),
      bookings: storyIds.flatMap((id) => bookingsByLead.get(id) ?? []),
      visitors: storyIds.flatMap((id) => visitorsByLead.get(id) ?? []),
    }
  })
}

type StoryEvent = LeadEvent & { staff_id: string | null }
type EventFields = Pick<StoryEvent, 'kind' | 'at'> & Partial<StoryEvent>

const toStoryEvent = (fields: EventFields): StoryEvent => ({
  note: null,
  staff_id: null,
  by_name: null,
  ...fields,
})

/** The events of a booking. Canceled trials and those that wait for a place lead to no stage, so
 *  they have none. That a trial was canceled is recorded as an event of the lead. */
function listBookingEvents(booking: BookingRow): StoryEvent[] {
  const { state, visitor_name, told_class, class_date, marked_at, marked_by } = booking
  if (state === 'cancelled' || state === 'waiting') return []
  const note = `${visitor_name}, ${told_class}`
  const bookedEvent = toStoryEvent({ kind: 'booked', at: booking.created_at, note })
  if (state !== 'came' && state !== 'missed') return [bookedEvent]
  const markedAt = marked_at ?? `${class_date}T23:59:59Z`
  return [bookedEvent, toStoryEvent({ kind: state, at: markedAt, note, staff_id: marked_by })]
}

/** All events of a lead and of its trials, oldest first. */
export function listEvents({ lead, events, bookings: trials }: LeadStory): StoryEvent[] {
  const recordedEvents = events.map(({ kind, created_at, note, created_by }) =>
    toStoryEvent({ kind, at: created_at, note, staff_id: created_by }),
  )
  return [
    toStoryEvent({ kind: 'created', at: lead.created_at, staff_id: lead.created_by }),
    ...[...recordedEvents, ...trials.flatMap(listBookingEvents)].toSorted((a, b) =>
      a.at < b.at ? -1 : 1,
    ),
  ]
}

/** The same visitor can have booked several trials, and be in the list of visitors, too. */
export function listVisitors({ visitors, bookings: trials }: LeadStory): Lead['visitors'] {
  const visitorsByName = new Map<string, Lead['visitors'][number]>()
  for (const { visitor_name, visitor_age } of trials)
    visitorsByName.set(visitor_name.toLowerCase(), {
      name: visitor_name,
      age: visitor_age,
      student_id: null,
    })
  for (const { name, age, student_id } of visitors)
    visitorsByName.set(name.toLowerCase(), {
      name,
      age: age ?? visitorsByName.get(name.toLowerCase())?.age ?? null,
      student_id: student_id ?? visitorsByName.get(name.toLowerCase())?.student_id ?? null,
    })
  return [...visitorsByName.values()]
}

/** Somebody should close the lead, or plan a next step. */
const FORGOTTEN_DAYS = 14

function isForgotten({ lead }: LeadStory, stage: Stage, hasTrial: boolean): boolean {
  if (!isOpenStage(stage) || hasTrial || lead.next_step_on !== null) return false
  return now().getTime() - Date.parse(lead.last_active_at) >= FORGOTTEN_DAYS * DAY_MS
}

const listTrialDaysAhead = ({ bookings: trials }: LeadStory, today: string): string[] =>
  trials
    .filter(({ state, class_date }) => state === 'booked' && class_date >= today)
    .map(({ class_date }) => class_date)
    .toSorted()

export const hasTrialAhead = (story: LeadStory, today: string): boolean =>
  listTrialDaysAhead(story, today).length > 0

const countMissed = ({ bookings: trials }: LeadStory): number =>
  trials.filter(({ state }) => state === 'missed').length

export function describeLead(story: LeadStory, today: string): Lead {
  const { lead } = story
  const { stage, since } = findStage(listEvents(story))
  const trialDays = listTrialDaysAhead(story, today)
  return {
    ...pick(lead, 'id', 'name', 'phone', 'email', 'interest', 'source'),
    ...pick(lead, 'next_step', 'next_step_on', 'likely_person', 'created_at'),
    visitors: listVisitors(story),
    stage,
    stage_since: since ?? lead.created_at,
    trial_on: trialDays[0] ?? null,
    is_forgotten: isForgotten(story, stage, trialDays.length > 0),
    has_missed_twice: stage === 'talking' && countMissed(story) >= 2,
  }
}

/** The names of the staff who recorded the events. */
export async function addStaffNames(tx: Tx, events: readonly StoryEvent[]): Promise<LeadEvent[]> {
  const staffIds = [...new Set(events.flatMap(({ staff_id }) => staff_id ?? []))]
  const staff = await tx
    .select(pick(instructors, 'id', 'name'))
    .from(instructors)
    .where(equalsAny(instructors.id, staffIds))
  const namesById = new Map(staff.map(({ id, name }) => [id, name]))
  return events.map(({ staff_id, ...event }) => ({
    ...event,
    by_name: staff_id === null ? null : (namesById.get(staff_id) ?? null),
  }))
}
