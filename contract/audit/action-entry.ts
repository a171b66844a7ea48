import type { DescribedAction } from './action-phrases.ts'
import type { AuditKind } from './kinds.ts'

export type Phrase = string | ((row: DescribedAction) => string)

/** `forDojo` actions are only in the dojo's audit log. `forAdmins` actions are also in the super
 *  admins' log. */
export const forDojo = (kind: AuditKind, phrase: Phrase) => ({ kind, phrase, isEveryday: true })
export const forAdmins = (kind: AuditKind, phrase: Phrase) => ({ kind, phrase, isEveryday: false })
