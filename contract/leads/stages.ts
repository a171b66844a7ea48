/** How far a lead has come. A lead is somebody who is interested in the school. */
export const STAGES = ['new', 'talking', 'booked', 'came', 'deciding', 'joined', 'lost'] as const
export type Stage = (typeof STAGES)[number]

/** The ways in which staff and leads talk to each other. */
export const CONTACT_WAYS = ['call', 'text', 'email', 'visit'] as const
export type ContactWay = (typeof CONTACT_WAYS)[number]

/** What staff can record about a lead. */
export const RECORDED_KINDS = [...CONTACT_WAYS, 'note', 'deciding', 'lost', 'reopened'] as const

export const LEAD_EVENT_KINDS = [
  ...RECORDED_KINDS,
  'created',
  'merged',
  'unmerged',
  /** One of several visitors joined. The others are still leads. */
  'visitor_joined',
  'joined',
  // These three come from trial bookings.
  'booked',
  'came',
  'missed',
  /** A booked trial was canceled. The stage is again what it was before the booking. */
  'cancelled',
] as const
export type LeadEventKind = (typeof LEAD_EVENT_KINDS)[number]

const STAGE_AFTER: Partial<Record<LeadEventKind, Stage>> = {
  created: 'new',
  booked: 'booked',
  came: 'came',
  missed: 'talking',
  deciding: 'deciding',
  joined: 'joined',
  lost: 'lost',
  reopened: 'talking',
}

const isContact = (kind: LeadEventKind): boolean =>
  (CONTACT_WAYS as readonly LeadEventKind[]).includes(kind)

/** The stage after an event. Only staff can reopen a lead who has joined. */
export function stageAfter(stage: Stage, kind: LeadEventKind): Stage {
  if (stage === 'joined' && kind !== 'reopened') return 'joined'
  if (isContact(kind)) return stage === 'new' ? 'talking' : stage
  return STAGE_AFTER[kind] ?? stage
}

type DatedEvent = { kind: LeadEventKind; at: string }

/** The stage of a lead and since when, from all events. The events must be sorted by time. */
export function findStage(events: readonly DatedEvent[]): { stage: Stage; since: string | null } {
  let stage: Stage = 'new'
  let stageBegan: string | null = null
  for (const { kind, at } of events) {
    const nextStage = stageAfter(stage, kind)
    if (stageBegan === null || nextStage !== stage) stageBegan = at
    stage = nextStage
  }
  return { stage, since: stageBegan }
}

export const isOpenStage = (stage: Stage): boolean => stage !== 'joined' && stage !== 'lost'
