import { z } from 'zod'
import { OWN_LOGIN_AGE } from '../guardians/guardians.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  email,
  flag,
  idParams,
  multiLineText,
  oneOf,
  phone,
  singleLineText,
  success,
  unrestrictedName,
  uuid,
} from '../lib/fields.ts'
import { BOOKING_STATES } from '../trials/trials.ts'
import { REFERRAL_SOURCE } from './referrals.ts'
import { spokenConsent, spokenConsentForm } from './spoken-consent.ts'
import { LEAD_EVENT_KINDS, RECORDED_KINDS, STAGES } from './stages.ts'

/** Everybody who may enroll students may see the people who are interested in the school. */
const RIGHT = 'students.edit'

/** Suggestions. Staff can write any other source. */
export const LEAD_SOURCES = [
  'Walk-in',
  'Phone call',
  'Text message',
  REFERRAL_SOURCE,
  'Website',
  'Search or map',
  'Social media',
  'Event or fair',
] as const

const MAX_VISITORS = 8
/** A merge can be undone for so long. */
export const UNMERGE_DAYS = 7

const AGE_RULE = 'Age must be a whole number from 1 to 120'
const visitorForm = z.object(
  {
    name: unrestrictedName('Name'),
    age: z.number(AGE_RULE).int(AGE_RULE).min(1, AGE_RULE).max(120, AGE_RULE).nullable(),
  },
  { error: 'A visitor must have a name and an age' },
)

export const leadFields = {
  name: unrestrictedName('Name'),
  phone: clearable(phone('Phone')),
  email: clearable(email()),
  /** The people who would train: the children of a parent, or the lead. */
  visitors: z
    .array(visitorForm, { error: 'Visitors must be a list' })
    .min(1, 'Say who would train')
    .max(MAX_VISITORS, `At most ${MAX_VISITORS} visitors`),
  interest: clearable(singleLineText('Interest', 120)),
  source: singleLineText('Source', 60),
}
export const isReachable = ({
  phone: number,
  email: address,
}: {
  phone?: unknown
  email?: unknown
}) => Boolean(number) || Boolean(address)
export const REACHABLE = { error: 'Phone or email is required', path: ['phone'] }

type NamedVisitor = { name: string; age: number | null }

/** False if a child under 13 would give their own name and contact. */
export const hasParent = ({ name, visitors }: { name: string; visitors: NamedVisitor[] }) =>
  visitors.every(
    ({ name: visitorName, age }) =>
      visitorName.trim().toLowerCase() !== name.trim().toLowerCase() ||
      age === null ||
      age >= OWN_LOGIN_AGE,
  )
export const PARENT_NEEDED =
  `For children under ${OWN_LOGIN_AGE}, a parent or guardian has to give their own name and ` +
  'phone or email'
export const HAS_PARENT = { error: PARENT_NEEDED, path: ['visitors'] }

export const leadForm = z
  .object(leadFields)
  .refine(isReachable, REACHABLE)
  .refine(hasParent, HAS_PARENT)
export const newLeadForm = z
  .object({
    ...leadFields,
    note: clearable(multiLineText('Note', 500)),
    /** Adds the lead although another lead has the same phone or email. */
    adds_anyway: flag('Add anyway').default(false),
  })
  .refine(isReachable, REACHABLE)
  .refine(hasParent, HAS_PARENT)

/** A next step is at most so many days ahead. */
export const NEXT_STEP_DAYS = 365

export const nextStepForm = z
  .object({
    next_step: clearable(singleLineText('Next step', 120)),
    next_step_on: clearable(calendarDate('Date')),
  })
  .refine(({ next_step, next_step_on }) => Boolean(next_step) === Boolean(next_step_on), {
    error: 'A next step needs a date',
    path: ['next_step_on'],
  })

const NOTE_KINDS: readonly string[] = ['note', 'lost']
export const eventForm = z
  .object({
    kind: oneOf('Event', RECORDED_KINDS),
    /** The reason, if a lead is lost. */
    note: clearable(multiLineText('Note', 500)),
  })
  .refine(({ kind, note }) => Boolean(note) || !NOTE_KINDS.includes(kind), {
    error: 'Note is required',
    path: ['note'],
  })

const visitor = z.object({
  name: z.string(),
  age: z.number().nullable(),
  student_id: z.uuid().nullable(),
})

const lead = z.object({
  id: z.uuid(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  visitors: z.array(visitor),
  interest: z.string().nullable(),
  /** How the lead first heard of the school. */
  source: z.string(),
  stage: z.enum(STAGES),
  stage_since: z.string(),
  next_step: z.string().nullable(),
  next_step_on: z.string().nullable(),
  /** The day of the next booked trial. */
  trial_on: z.string().nullable(),
  /** "Ana Ruiz, guardian": somebody in the school has the same phone or email. */
  likely_person: z.string().nullable(),
  /** True after 14 days without a next step, a trial or any other activity. */
  is_forgotten: z.boolean(),
  /** True after two missed trials. Somebody should ask whether the lead is still deciding. */
  has_missed_twice: z.boolean(),
  created_at: z.string(),
})
export type Lead = z.output<typeof lead>

/** All that staff without the right to see contacts learn of a lead. */
const leadStage = z.object({ first_name: z.string(), stage: z.enum(STAGES) })
export type LeadStage = z.output<typeof leadStage>

const leadEvent = z.object({
  kind: z.enum(LEAD_EVENT_KINDS),
  at: z.string(),
  note: z.string().nullable(),
  by_name: z.string().nullable(),
})
export type LeadEvent = z.output<typeof leadEvent>

const leadDetails = lead.extend({
  /** The source of the last booking, if it is another one. */
  last_source: z.string().nullable(),
  /** True if the phone replied STOP. Nobody may text it. */
  has_stopped_texts: z.boolean(),
  /** The student through whose link the lead came. */
  referred_by: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** True if the lead agreed in writing to texts about trials. */
  may_be_texted: z.boolean(),
  spoken_consent: spokenConsent.nullable(),
  events: z.array(leadEvent),
  bookings: z.array(
    z.object({
      id: z.uuid(),
      visitor_name: z.string(),
      class_name: z.string(),
      day: z.string(),
      time: z.string(),
      state: z.enum(BOOKING_STATES),
    }),
  ),
  /** Other leads that seem to be the same person. */
  similar_leads: z.array(z.object({ id: z.uuid(), name: z.string(), created_at: z.string() })),
  /** The leads that were merged into this one within the last days. */
  merged_leads: z.array(z.object({ id: z.uuid(), name: z.string() })),
})
export type LeadDetails = z.output<typeof leadDetails>

const LISTS = ['open', 'joined', 'lost'] as const

export const leadsApi = {
  list: {
    method: 'GET',
    path: '/leads',
    access: 'instructor',
    right: RIGHT,
    summary:
      'People who are interested in the school: open (the default), joined or lost ones. ' +
      'The most urgent next step comes first',
    query: z.object({ list: oneOf('List', LISTS).optional() }),
    reply: z.array(lead),
  },
  stages: {
    method: 'GET',
    path: '/lead-stages',
    access: 'instructor',
    right: 'roll',
    summary: 'The first names of open leads, and how far each has come, for staff without contacts',
    reply: z.array(leadStage),
  },
  ofStudent: {
    method: 'GET',
    path: '/students/:id/lead',
    access: 'instructor',
    right: RIGHT,
    summary: 'The lead from which a student came, or null',
    params: idParams,
    reply: z.object({ lead_id: z.uuid().nullable() }),
  },
  show: {
    method: 'GET',
    path: '/leads/:id',
    access: 'instructor',
    right: RIGHT,
    summary: 'A lead with everything that happened, and their trials',
    params: idParams,
    reply: leadDetails,
  },
  add: {
    method: 'POST',
    path: '/leads',
    access: 'instructor',
    right: RIGHT,
    summary: 'Add a lead. 409 if another lead has the same phone or email, unless `adds_anyway`',
    idempotent: true,
    body: newLeadForm,
    reply: leadDetails,
  },
  change: {
    method: 'PUT',
    path: '/leads/:id',
    access: 'instructor',
    right: RIGHT,
    summary: 'Change a lead. Visitors who joined or booked a trial stay in the list',
    params: idParams,
    body: leadForm,
    reply: leadDetails,
  },
  setNextStep: {
    method: 'PUT',
    path: '/leads/:id/next-step',
    access: 'instructor',
    right: RIGHT,
    summary: 'Set what to do next, and when. Both empty: there is nothing to do',
    params: idParams,
    body: nextStepForm,
    reply: leadDetails,
  },
  addEvent: {
    method: 'POST',
    path: '/leads/:id/events',
    access: 'instructor',
    right: RIGHT,
    summary: 'Record a call, a note, or that a lead is deciding, lost or open again',
    idempotent: true,
    params: idParams,
    body: eventForm,
    reply: leadDetails,
  },
  recordSpokenConsent: {
    method: 'POST',
    path: '/leads/:id/spoken-consent',
    access: 'instructor',
    right: RIGHT,
    summary:
      'Write down that a lead agreed to texts on the phone or in person, and ask the phone once to ' +
      'reply YES. Texts begin after the YES. 409 if the lead cannot be asked',
    params: idParams,
    body: spokenConsentForm,
    reply: leadDetails,
  },
  merge: {
    method: 'POST',
    path: '/leads/:id/merge',
    access: 'instructor',
    right: RIGHT,
    summary: `Merge a lead into another one. Can be undone for ${UNMERGE_DAYS} days`,
    params: idParams,
    body: z.object({ into_id: uuid('Lead') }),
    reply: leadDetails,
  },
  unmerge: {
    method: 'POST',
    path: '/leads/:id/unmerge',
    access: 'instructor',
    right: RIGHT,
    summary: `Undo a merge of the last ${UNMERGE_DAYS} days. 409 if it is older`,
    params: idParams,
    reply: leadDetails,
  },
  join: {
    method: 'POST',
    path: '/leads/:id/join',
    access: 'instructor',
    right: RIGHT,
    summary: 'Say that a visitor of a lead is now a student. The lead and its story stay linked',
    params: idParams,
    body: z.object({ visitor_name: unrestrictedName('Visitor'), student_id: uuid('Student') }),
    reply: leadDetails,
  },
  remove: {
    method: 'DELETE',
    path: '/leads/:id',
    access: 'instructor',
    right: RIGHT,
    summary: 'Delete a lead with its story and trials, for example because the person asks for it',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
