import { drafts } from '../lib/drafts.ts'

/** Names of the drafts of the dialogs above the Belts screen. */
export const LADDER_DRAFT = 'ladder'
export const MOVE_STUDENTS_DRAFT = 'move-students'
export const STYLE_DRAFT = 'style'
/** Stands for the id of a style that is being added. */
export const NEW_STYLE = 'new'

/** The dialog above the Belts screen, and the style or ladder it is about. */
export type OpenDialog = {
  type: 'templates' | 'draw' | 'style' | 'edit' | 'move-students'
  id: string
}

const NEW_LADDER_PREFIX = 'of '
/** A new ladder has no id yet, so its draft belongs to its style. */
export const getLadderDraft = (ladderId: string | undefined, styleId: string): string =>
  ladderId ?? `${NEW_LADDER_PREFIX}${styleId}`

/** The dialog whose form was left unsent, so that it opens again with what was typed. */
export function findDialogWithDraft(): OpenDialog | null {
  const editedLadder = drafts.subjectOf(LADDER_DRAFT)
  if (editedLadder?.startsWith(NEW_LADDER_PREFIX))
    return { type: 'draw', id: editedLadder.slice(NEW_LADDER_PREFIX.length) }
  if (editedLadder) return { type: 'edit', id: editedLadder }
  const targetLadder = drafts.subjectOf(MOVE_STUDENTS_DRAFT)
  if (targetLadder) return { type: 'move-students', id: targetLadder }
  const style = drafts.subjectOf(STYLE_DRAFT)
  return style ? { type: 'style', id: style } : null
}
