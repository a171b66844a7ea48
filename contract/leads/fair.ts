import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { oneOf, success } from '../lib/fields.ts'
import { CONTACT_PURPOSES, type ContactPurpose } from '../trials/trials.ts'
import { HAS_PARENT, hasParent, isReachable, leadFields, REACHABLE } from './leads.ts'

/** What visitors of a fair agree to. A changed wording is a new version, and the old ones stay. */
export const FAIR_WORDINGS = {
  'fair-2026-11-27': {
    service_text: 'You may text me about a trial class.',
    marketing: 'You may email me news and offers.',
  },
} as const satisfies Record<string, Record<ContactPurpose, string>>
type WordingVersion = keyof typeof FAIR_WORDINGS
export const FAIR_WORDING_VERSION: WordingVersion = 'fair-2026-11-27'
const WORDING_VERSIONS = Object.keys(FAIR_WORDINGS) as [WordingVersion, ...WordingVersion[]]

/** PostgreSQL knows no year 0. */
const EARLIEST_TIME = '2000-01-01T00:00:00Z'
const TIME_IS_NOT_VALID = 'Time is not valid'

export const fairLeadForm = z
  .object({
    ...leadFields,
    /** What the visitor ticked. */
    purposes: z
      .array(oneOf('Purpose', CONTACT_PURPOSES), { error: 'Purposes must be a list' })
      .max(CONTACT_PURPOSES.length, `At most ${CONTACT_PURPOSES.length} purposes`),
    wording_version: oneOf('Wording', WORDING_VERSIONS),
    /** When the visitor filled in the form, which may be long before the device is online. */
    taken_at: z.iso
      .datetime({ error: TIME_IS_NOT_VALID })
      .refine((time) => !(Date.parse(time) < Date.parse(EARLIEST_TIME)), TIME_IS_NOT_VALID),
  })
  .refine(isReachable, REACHABLE)
  .refine(hasParent, HAS_PARENT)
export type FairLeadForm = z.output<typeof fairLeadForm>

export const fairApi = {
  add: {
    method: 'POST',
    path: '/fair-leads',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Add a lead from a fair. Never asks about similar leads, because nobody could answer',
    idempotent: true,
    body: fairLeadForm,
    reply: success,
  },
} as const satisfies Api
