import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'

/** How long a lead is kept after the last activity. */
export const KEPT_MONTHS = [6, 12, 24] as const
export const DEFAULT_KEPT_MONTHS = 12
/** So many days before leads are deleted, the school is told which ones. */
export const DELETION_NOTICE_DAYS = 14

const leadSettings = z.object({
  kept_months: z.literal(KEPT_MONTHS, { error: 'Months must be 6, 12 or 24' }),
})
export type LeadSettings = z.output<typeof leadSettings>

export const leadSettingsApi = {
  read: {
    method: 'GET',
    path: '/lead-settings',
    access: 'instructor',
    right: 'students.edit',
    summary: 'How long leads are kept',
    reply: leadSettings,
  },
  change: {
    method: 'PUT',
    path: '/lead-settings',
    access: 'instructor',
    right: 'settings',
    summary: 'Change how long leads are kept',
    body: leadSettings,
    reply: leadSettings,
  },
} as const satisfies Api
