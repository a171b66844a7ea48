import type { Ladder, LadderTemplate, Rank } from '@tatami/contract/belts/belts'
import { BELTS, type ShownRank } from '@tatami/contract/lib/ranks'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

type RankWithRequirements = LadderTemplate['ranks'][number] &
  Partial<Pick<Rank, 'min_stripes' | 'needs_approval' | 'needs_fee' | 'skills'>>

/** "4 months, 30 classes, 3 skills". Empty if the rank has no requirements. */
export function describeRequirements(rank: RankWithRequirements): string {
  const skills = (rank.skills ?? []).filter(({ required }) => required).length
  return joinNonEmpty([
    rank.min_months && pluralize(rank.min_months, 'month'),
    rank.min_classes && pluralize(rank.min_classes, 'class', 'classes'),
    skills > 0 && pluralize(skills, 'skill'),
    rank.min_stripes && pluralize(rank.min_stripes, 'stripe'),
    rank.min_age && `from age ${rank.min_age}`,
    rank.max_age && `up to age ${rank.max_age}`,
    rank.needs_approval && 'approval',
    rank.needs_fee && 'fee',
  ])
}

/** "Ages 6 to 12" or "From age 16". Empty for all ages. */
export function describeAges({ min_age, max_age }: Pick<Ladder, 'min_age' | 'max_age'>): string {
  if (min_age !== null && max_age !== null)
    return min_age === max_age ? `Age ${min_age}` : `Ages ${min_age} to ${max_age}`
  if (min_age !== null) return `From age ${min_age}`
  return max_age === null ? '' : `Up to age ${max_age}`
}

/** Ranks of a template or a form have no id yet. */
export const toShownRank = (
  rank: Omit<ShownRank, 'id'> & { id?: string | undefined },
): ShownRank => ({
  id: rank.id ?? '',
  name: rank.name,
  colours: rank.colours,
  pattern: rank.pattern,
  tags_count: rank.tags_count,
  tags_colour: rank.tags_colour,
})

export const templateMatches = ({ style, name, note }: LadderTemplate, search: string): boolean => {
  const text = `${style} ${name} ${note ?? ''}`.toLowerCase()
  return search
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Returns true if the dojo's only ladder is the seven belts, with or without requirements. */
export const hasOnlySevenBelts = (ladders: readonly Ladder[]): boolean =>
  ladders.every(
    ({ is_retired, ranks }) =>
      !is_retired && ranks.map(({ name }) => name.toLowerCase()).join() === BELTS.join(),
  )

/** Returns true if the dojo still has the seven belts without requirements. */
export function hasDefaultBelts(ladders: readonly Ladder[]): boolean {
  const [ladder, ...otherLadders] = ladders
  return (
    ladder?.ranks.length === BELTS.length &&
    otherLadders.length === 0 &&
    ladder.ranks.every((rank) => describeRequirements(rank) === '')
  )
}
