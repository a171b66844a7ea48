import type { LeadEventKind, Stage } from '@tatami/contract/leads/stages'
import type { Lead, LeadEvent } from '@tatami/contract/leads/leads'

export const STAGE_NAMES: Record<Stage, string> = {
  new: 'New',
  talking: 'Talking',
  booked: 'Trial booked',
  came: 'Came to a trial',
  deciding: 'Deciding',
  joined: 'Joined',
  lost: 'Lost',
}

export const STAGE_TONES: Record<Stage, 'plain' | 'blue' | 'green' | 'orange'> = {
  new: 'orange',
  talking: 'plain',
  booked: 'blue',
  came: 'blue',
  deciding: 'orange',
  joined: 'green',
  lost: 'plain',
}

/** What the booking form of the public page writes by itself. */
const SOURCE_NAMES: Record<string, string> = { page: 'Public page', widget: 'Form on your site' }

export const nameOfSource = (source: string): string => SOURCE_NAMES[source] ?? source

const EVENT_NAMES: Record<LeadEventKind, string> = {
  created: 'Added',
  call: 'Called',
  text: 'Texted',
  email: 'Emailed',
  visit: 'Visited the school',
  note: 'Note',
  deciding: 'Is deciding',
  lost: 'Lost',
  reopened: 'Open again',
  merged: 'Merged with another lead',
  unmerged: 'Merge undone',
  visitor_joined: 'Joined',
  joined: 'Joined',
  booked: 'Booked a trial',
  came: 'Came to the trial',
  missed: 'Missed the trial',
  cancelled: 'Trial canceled',
}

export const describeEvent = ({ kind }: LeadEvent): string => EVENT_NAMES[kind]

/** "Leo, 7, and Mia, 9", or only the age if the lead is the only visitor. */
export function describeVisitors({ name, visitors }: Pick<Lead, 'name' | 'visitors'>): string {
  const texts = visitors.map((visitor) => {
    const age = visitor.age === null ? null : `${visitor.age}`
    if (visitor.name === name) return age && `${age} years old`
    return age ? `${visitor.name}, ${age}` : visitor.name
  })
  return texts.filter((text) => text !== null).join(' · ')
}
