import { drafts } from '../lib/drafts.ts'

export const FAMILY_DRAFT = 'family'
export const GUARDIAN_DRAFT = 'guardian'
export const GUARDIAN_NOTES_DRAFT = 'guardian-notes'
export const NEW_GUARDIAN_DRAFT = 'new-guardian'

export const findDraftGuardianId = (): string | undefined =>
  drafts.subjectOf(GUARDIAN_DRAFT) ?? drafts.subjectOf(GUARDIAN_NOTES_DRAFT)
