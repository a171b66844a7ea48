import { z } from 'zod'

/** The seven belts of the specification, lowest first. Every rank counts as one of them. */
export const BELTS = ['white', 'yellow', 'orange', 'green', 'blue', 'brown', 'black'] as const
export type Belt = (typeof BELTS)[number]

/** The colours that belts, tags and patches are drawn in. */
export const RANK_COLOURS = [
  ...(['white', 'grey', 'yellow', 'orange', 'green', 'camouflage'] as const),
  ...(['blue', 'purple', 'brown', 'red', 'black', 'gold'] as const),
] as const
export type RankColour = (typeof RANK_COLOURS)[number]

/** How a rank is drawn; a `bar` holds stripes, a `red-bar` degrees, and a `patch` is no belt but a badge. */
export const RANK_PATTERNS = [
  'solid',
  'split',
  'centre-stripe',
  'tip',
  'bar',
  'red-bar',
  'panels',
  'patch',
] as const
export type RankPattern = (typeof RANK_PATTERNS)[number]

/** What is drawn of a rank. The second colour is that of the pattern; a patch may have none. */
const drawing = {
  colours: z.array(z.enum(RANK_COLOURS)),
  pattern: z.enum(RANK_PATTERNS),
  tags_count: z.number(),
  tags_colour: z.enum(RANK_COLOURS).nullable(),
}
/** A rank as it is shown, by its name and drawn. */
export const shownRank = z.object({ id: z.uuid(), name: z.string(), ...drawing })
export type ShownRank = z.output<typeof shownRank>

/** A rank with the stripes that somebody has on it. */
export const heldRank = shownRank.extend({ stripes: z.number() })
export type HeldRank = z.output<typeof heldRank>

/** "8th kyu, 2 stripes" */
export const rankWords = ({ name, stripes }: Pick<HeldRank, 'name' | 'stripes'>): string =>
  stripes === 0 ? name : `${name}, ${stripes} ${stripes === 1 ? 'stripe' : 'stripes'}`

/** How a row of a student's history of belts came about. A stripe is given on the rank that is held, and restarts neither months nor classes. */
export const PROMOTION_KINDS = [
  'start',
  'promotion',
  'stripe',
  'skip',
  'conversion',
  'import',
  'correction',
] as const
export type PromotionKind = (typeof PROMOTION_KINDS)[number]
