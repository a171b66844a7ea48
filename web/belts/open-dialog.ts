import { drafts } from '../lib/drafts.ts'

export const LADDER_DRAFT = 'ladder'
export const MOVE_STUDENTS_DRAFT = 'move-students'
export const STYLE_DRAFT = 'style'
export const NEW_STYLE = 'new'

export type OpenDialog = {
  type: 'templates' | 'new-ladder' | 'style' | 'edit' | 'move-students'
  /** A ladder's id for 'edit' and 'move-students', otherwise a style's id or NEW_STYLE. */
  id: string
}

const NEW_LADDER_PREFIX = 'of '
/** A new ladder has no id yet, so its draft is stored under "of " and the id of its style. */
export const getLadderDraft = (ladderId: string | undefined, styleId: string): string =>
  ladderId ?? `${NEW_LADDER_PREFIX}${styleId}`

export function findDialogWithDraft(): OpenDialog | null {
  const ladderKey = drafts.subjectOf(LADDER_DRAFT)
  if (ladderKey?.startsWith(NEW_LADDER_PREFIX))
    return { type: 'new-ladder', id: ladderKey.slice(NEW_LADDER_PREFIX.length) }
  if (ladderKey) return { type: 'edit', id: ladderKey }
  const targetLadderId = drafts.subjectOf(MOVE_STUDENTS_DRAFT)
  if (targetLadderId) return { type: 'move-students', id: targetLadderId }
  const styleId = drafts.subjectOf(STYLE_DRAFT)
  return styleId ? { type: 'style', id: styleId } : null
}
