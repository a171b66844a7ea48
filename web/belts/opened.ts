import { drafts } from '../lib/drafts.ts'

/** The names of the dialogs under which what is typed into them is kept (lib/drafts.ts). */
export const LADDER_DRAFT = 'ladder'
export const BRING_DRAFT = 'bring-students'
export const STYLE_DRAFT = 'style'
/** What stands for the id of a style that is not there yet. */
export const NEW_STYLE = 'new'

/** What is open above the Belts screen, and of which style or ladder. */
export type OpenDialog = { what: 'templates' | 'draw' | 'style' | 'edit' | 'bring'; id: string }

const NEW_LADDER = 'of '
/** The draft of a ladder is its own; a new one's is its style's. */
export const ladderDraft = (ladderId: string | undefined, styleId: string): string =>
  ladderId ?? `${NEW_LADDER}${styleId}`

/** The dialog in which something was typed before one left. */
export function openedByDraft(): OpenDialog | null {
  const [ladder, bring, style] = [LADDER_DRAFT, BRING_DRAFT, STYLE_DRAFT].map((dialog) =>
    drafts.subjectOf(dialog),
  )
  if (ladder?.startsWith(NEW_LADDER)) return { what: 'draw', id: ladder.slice(NEW_LADDER.length) }
  if (ladder) return { what: 'edit', id: ladder }
  if (bring) return { what: 'bring', id: bring }
  return style ? { what: 'style', id: style } : null
}
