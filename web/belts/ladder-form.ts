import { parseMoney } from '@tatami/contract/money'
import type { Ladder, Rank } from '@tatami/contract/belts'
import type { LadderForm, RankForm } from '@tatami/contract/ladder-form'
import type { Belt, RankColour, RankPattern, ShownRank } from '@tatami/contract/ranks'
import { newIdempotencyKey } from '../lib/api.ts'

/** What the fields of the ladder's editor hold: numbers as they are typed, a choice that is not made as ''. */
export type SkillValues = { key: string; id: string; name: string; required: boolean }
export type RankValues = {
  /** Stays the rank's own when ranks change places. */
  key: string
  /** Empty for a rank that is new. */
  id: string
  name: string
  short: string
  colour: RankColour | ''
  second: RankColour | ''
  pattern: RankPattern
  tags_count: string
  tags_colour: RankColour | ''
  stripes: string
  belt_level: Belt
  fee: string
  min_months: string
  min_classes: string
  max_classes_a_day: string
  min_age: string
  max_age: string
  min_stripes: string
  needs_approval: boolean
  needs_fee: boolean
  skills: SkillValues[]
}
export type LadderValues = {
  name: string
  min_age: string
  max_age: string
  age_counts: Ladder['age_counts']
  continues_as: string
  ranks: RankValues[]
}

/** The patterns that are made of two colours; a patch may have none. */
const TWO_COLOURS: readonly RankPattern[] = ['split', 'centre-stripe', 'tip', 'panels', 'patch']
export const hasSecondColour = (pattern: RankPattern): boolean => TWO_COLOURS.includes(pattern)

const typed = (value: number | null): string => (value === null ? '' : String(value))
const typedCount = (value: number): string => (value === 0 ? '' : String(value))
/** Null where nothing is typed; NaN, which no rule accepts, where it is no number. */
const toNumber = (text: string): number | null =>
  text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN

const toRankValues = (rank: Rank): RankValues => ({
  key: rank.id,
  id: rank.id,
  name: rank.name,
  short: rank.short ?? '',
  colour: rank.colours[0] ?? '',
  second: rank.colours[1] ?? '',
  pattern: rank.pattern,
  tags_count: typedCount(rank.tags_count),
  tags_colour: rank.tags_colour ?? '',
  stripes: typedCount(rank.stripes),
  belt_level: rank.belt_level,
  fee: typed(rank.fee),
  min_months: typed(rank.min_months),
  min_classes: typed(rank.min_classes),
  max_classes_a_day: typed(rank.max_classes_a_day),
  min_age: typed(rank.min_age),
  max_age: typed(rank.max_age),
  min_stripes: typed(rank.min_stripes),
  needs_approval: rank.needs_approval,
  needs_fee: rank.needs_fee,
  skills: rank.skills.map((skill) => ({ key: skill.id, ...skill })),
})

export const toLadderValues = ({
  name,
  min_age,
  max_age,
  age_counts,
  continues_as,
  ranks,
}: Ladder): LadderValues => ({
  name,
  min_age: typed(min_age),
  max_age: typed(max_age),
  age_counts,
  continues_as: continues_as ?? '',
  ranks: ranks.map(toRankValues),
})

/** A new rank begins as the one below it is drawn. */
export const rankAfter = (below: RankValues | undefined): RankValues => ({
  key: newIdempotencyKey(),
  id: '',
  name: '',
  short: '',
  colour: below?.colour || 'white',
  second: below?.second ?? '',
  pattern: below?.pattern ?? 'solid',
  tags_count: below?.tags_count ?? '',
  tags_colour: below?.tags_colour ?? '',
  stripes: below?.stripes ?? '',
  belt_level: below?.belt_level ?? 'white',
  fee: below?.fee ?? '',
  min_months: below?.min_months ?? '',
  min_classes: below?.min_classes ?? '',
  max_classes_a_day: below?.max_classes_a_day ?? '',
  min_age: '',
  max_age: '',
  min_stripes: below?.min_stripes ?? '',
  needs_approval: below?.needs_approval ?? false,
  needs_fee: below?.needs_fee ?? false,
  skills: [],
})

export const newSkill = (): SkillValues => ({
  key: newIdempotencyKey(),
  id: '',
  name: '',
  required: true,
})

/** A ladder that is drawn anew begins with a white belt. */
export const newLadder = (): LadderValues => ({
  name: '',
  min_age: '',
  max_age: '',
  age_counts: 'birthday',
  continues_as: '',
  ranks: [{ ...rankAfter(undefined), name: 'White belt' }],
})

/** The colours that are drawn: a solid belt keeps no second one, however it was drawn before. */
export const coloursOf = ({
  colour,
  second,
  pattern,
}: Pick<RankValues, 'colour' | 'second' | 'pattern'>): RankColour[] =>
  [colour, hasSecondColour(pattern) ? second : ''].filter((each) => each !== '')

/** The rank as it would be drawn. */
export const drawnOf = (rank: RankValues): ShownRank => ({
  id: rank.key,
  name: rank.name,
  colours: coloursOf(rank),
  pattern: rank.pattern,
  tags_count: toNumber(rank.tags_count) || 0,
  tags_colour: rank.tags_colour || null,
})

const toRank = (rank: RankValues): RankForm => ({
  ...(rank.id && { id: rank.id }),
  name: rank.name,
  short: rank.short || null,
  colours: coloursOf(rank),
  pattern: rank.pattern,
  tags_count: toNumber(rank.tags_count) ?? 0,
  tags_colour: toNumber(rank.tags_count) ? rank.tags_colour || null : null,
  stripes: toNumber(rank.stripes) ?? 0,
  belt_level: rank.belt_level,
  fee: parseMoney(rank.fee) ?? null,
  min_months: toNumber(rank.min_months),
  min_classes: toNumber(rank.min_classes),
  max_classes_a_day: toNumber(rank.max_classes_a_day),
  min_age: toNumber(rank.min_age),
  max_age: toNumber(rank.max_age),
  min_stripes: toNumber(rank.min_stripes),
  needs_approval: rank.needs_approval,
  needs_fee: rank.needs_fee,
  skills: rank.skills.map(({ id, name, required }) => ({ ...(id && { id }), name, required })),
})

/** What is sent of the editor. */
export const toLadder = ({
  name,
  min_age,
  max_age,
  age_counts,
  continues_as,
  ranks,
}: LadderValues): LadderForm => ({
  name,
  min_age: toNumber(min_age),
  max_age: toNumber(max_age),
  age_counts,
  continues_as: continues_as || null,
  ranks: ranks.map(toRank),
})

/** The editor's field for a path of what is sent: both colours stand under `colours` there. */
export const fieldOfPath = (path: string): string =>
  path.replace(/^(ranks\.\d+)\.colours(\.0)?$/, '$1.colour').replace(/\.colours\.1$/, '.second')

/** With the rank at `from` moved to `to`; the same list where there is no such place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  if (to < 0 || to >= list.length) return [...list]
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, list[from]!)
}
