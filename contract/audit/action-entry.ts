import type { DescribedAction } from './action-phrases.ts'
import type { AuditKind } from './kinds.ts'

export type Phrase = string | ((row: DescribedAction) => string)

/** An everyday action is in the dojo's log, but not in that of the super admins. */
export const forDojo = (kind: AuditKind, phrase: Phrase) => ({ kind, phrase, isEveryday: true })
export const forAdmins = (kind: AuditKind, phrase: Phrase) => ({ kind, phrase, isEveryday: false })
