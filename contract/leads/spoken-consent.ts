import { z } from 'zod'
import { calendarDate, multiLineText } from '../lib/fields.ts'

/** What the lead answers with YES. A changed wording is a new version. */
export const SPOKEN_WORDING_VERSION = 'spoken-2026-11-27'

/** What a lead said on the phone or in person about getting texts. */
export const spokenConsentForm = z.object({
  said_on: calendarDate('Day'),
  words: multiLineText('What they said', 300),
})
export type SpokenConsentForm = z.output<typeof spokenConsentForm>

export const spokenConsent = z.object({
  said_on: z.string(),
  words: z.string(),
  recorded_by_name: z.string().nullable(),
  /** When the phone was asked to reply YES. Null if the text could not be sent yet. */
  asked_at: z.string().nullable(),
  /** When the phone replied YES. Texts begin only then. */
  confirmed_at: z.string().nullable(),
})
