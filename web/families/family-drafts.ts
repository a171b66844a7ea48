import { drafts } from '../lib/drafts.ts'

/** The names of the families' dialogs, under which what is typed into them is kept (lib/drafts.ts). */
export const FAMILY_DRAFT = 'family'
export const GUARDIAN_DRAFT = 'guardian'
export const GUARDIAN_NOTES_DRAFT = 'guardian-notes'
export const NEW_GUARDIAN_DRAFT = 'new-guardian'

/** The id of the guardian of whom something was typed and not saved. */
export const guardianOfDraft = (): string | undefined =>
  drafts.subjectOf(GUARDIAN_DRAFT) ?? drafts.subjectOf(GUARDIAN_NOTES_DRAFT)
