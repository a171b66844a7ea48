import { drafts } from '../lib/drafts.ts'

/** The names of the drafts of these dialogs (lib/drafts.ts) */
export const FAMILY_DRAFT = 'family'
export const GUARDIAN_DRAFT = 'guardian'
export const GUARDIAN_NOTES_DRAFT = 'guardian-notes'
export const NEW_GUARDIAN_DRAFT = 'new-guardian'

/** The id of the guardian whose draft was stored when the session ended */
export const guardianIdOfDraft = (): string | undefined =>
  drafts.subjectOf(GUARDIAN_DRAFT) ?? drafts.subjectOf(GUARDIAN_NOTES_DRAFT)
