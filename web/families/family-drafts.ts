import { drafts } from '../lib/drafts.ts'

/** Names of drafts (lib/drafts.ts). */
export const FAMILY_DRAFT = 'family'
export const GUARDIAN_DRAFT = 'guardian'
export const GUARDIAN_NOTES_DRAFT = 'guardian-notes'
export const NEW_GUARDIAN_DRAFT = 'new-guardian'

/** The guardian with an unsaved draft. */
export const guardianOfDraft = (): string | undefined =>
  drafts.subjectOf(GUARDIAN_DRAFT) ?? drafts.subjectOf(GUARDIAN_NOTES_DRAFT)
