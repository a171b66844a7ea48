import { drafts } from '../lib/drafts.ts'

/** Names of drafts (lib/drafts.ts). */
export const LADDER_DRAFT = 'ladder'
export const BRING_DRAFT = 'bring-students'
export const STYLE_DRAFT = 'style'
/** In place of an id. */
export const NEW_STYLE = 'new'

/** The dialog above the Belts screen, and the style or ladder it is about. */
export type OpenDialog = { what: 'templates' | 'draw' | 'style' | 'edit' | 'bring'; id: string }

const NEW_LADDER = 'of '
/** A new ladder has no id yet, so its draft belongs to its style. */
export const ladderDraft = (ladderId: string | undefined, styleId: string): string =>
  ladderId ?? `${NEW_LADDER}${styleId}`

/** The dialog with an unsaved draft. */
export function openedByDraft(): OpenDialog | null {
  const [ladder, bring, style] = [LADDER_DRAFT, BRING_DRAFT, STYLE_DRAFT].map((dialog) =>
    drafts.subjectOf(dialog),
  )
  if (ladder?.startsWith(NEW_LADDER)) return { what: 'draw', id: ladder.slice(NEW_LADDER.length) }
  if (ladder) return { what: 'edit', id: ladder }
  if (bring) return { what: 'bring', id: bring }
  return style ? { what: 'style', id: style } : null
}
