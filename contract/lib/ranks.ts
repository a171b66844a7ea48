import { z } from 'zod'

export const BELTS = ['white', 'yellow', 'orange', 'green', 'blue', 'brown', 'black'] as const
export type Belt = (typeof BELTS)[number]

export const RANK_COLOURS = [
  ...(['white', 'grey', 'yellow', 'orange', 'green', 'camouflage'] as const),
  ...(['blue', 'purple', 'brown', 'red', 'black', 'gold'] as const),
] as const
export type RankColour = (typeof RANK_COLOURS)[number]

/** A `bar` has stripes and a `red-bar` has degrees. A `patch` is a badge instead of a belt. */
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

const drawing = {
  colours: z.array(z.enum(RANK_COLOURS)),
  pattern: z.enum(RANK_PATTERNS),
  tags_count: z.number(),
  tags_colour: z.enum(RANK_COLOURS).nullable(),
}
export const shownRank = z.object({ id: z.uuid(), name: z.string(), ...drawing })
export type ShownRank = z.output<typeof shownRank>

export const heldRank = shownRank.extend({ stripes: z.number() })
export type HeldRank = z.output<typeof heldRank>

export const rankLabel = ({ name, stripes }: Pick<HeldRank, 'name' | 'stripes'>): string =>
  stripes === 0 ? name : `${name}, ${stripes} ${stripes === 1 ? 'stripe' : 'stripes'}`

/** A `stripe` does not change the rank, so months and classes toward the next rank keep counting. */
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
