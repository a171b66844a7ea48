import { parseMoney } from '@tatami/contract/lib/money'
import type { Ladder, Rank } from '@tatami/contract/belts/belts'
import type { LadderForm, RankForm } from '@tatami/contract/belts/ladder-form'
import type { Belt, RankColour, RankPattern, ShownRank } from '@tatami/contract/lib/ranks'
import { newIdempotencyKey } from '../lib/api.ts'

const NUMBER_FIELDS = [
  'min_months',
  'min_classes',
  'max_classes_a_day',
  'min_age',
  'max_age',
  'min_stripes',
] as const
type NumberField = (typeof NUMBER_FIELDS)[number]
const mapNumberFields = <Value>(createValue: (field: NumberField) => Value) =>
  Object.fromEntries(NUMBER_FIELDS.map((field) => [field, createValue(field)])) as Record<
    NumberField,
    Value
  >

/** The fields of the ladder editor. Numbers are kept as typed text, and '' means no choice. `key`
 *  is the React key of an item in a list. */
export type SkillValues = { key: string; id: string; name: string; required: boolean }
export type RankValues = Record<NumberField, string> & {
  key: string
  id: string
  name: string
  short: string
  colour: RankColour | ''
  second_colour: RankColour | ''
  pattern: RankPattern
  tags_count: string
  tags_colour: RankColour | ''
  stripes: string
  belt_level: Belt
  fee: string
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

const TWO_COLOUR_PATTERNS: readonly RankPattern[] = [
  'split',
  'centre-stripe',
  'tip',
  'panels',
  'patch',
]
export const hasSecondColour = (pattern: RankPattern): boolean =>
  TWO_COLOUR_PATTERNS.includes(pattern)

const toText = (value: number | null): string => (value === null ? '' : String(value))
const toCountText = (value: number): string => (value === 0 ? '' : String(value))
/** Returns null for an empty field. Text with anything but digits becomes NaN, which the schema
 *  rejects. */
function toNumber(text: string): number | null {
  if (text.trim() === '') return null
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
}

const toRankValues = (rank: Rank): RankValues => ({
  key: rank.id,
  id: rank.id,
  name: rank.name,
  short: rank.short ?? '',
  colour: rank.colours[0] ?? '',
  second_colour: rank.colours[1] ?? '',
  pattern: rank.pattern,
  tags_count: toCountText(rank.tags_count),
  tags_colour: rank.tags_colour ?? '',
  stripes: toCountText(rank.stripes),
  belt_level: rank.belt_level,
  fee: toText(rank.fee),
  ...mapNumberFields((field) => toText(rank[field])),
  needs_approval: rank.needs_approval,
  needs_fee: rank.needs_fee,
  skills: rank.skills.map((skill) => ({ key: skill.id, ...skill })),
})

export const toLadderValues = (ladder: Ladder): LadderValues => ({
  name: ladder.name,
  min_age: toText(ladder.min_age),
  max_age: toText(ladder.max_age),
  age_counts: ladder.age_counts,
  continues_as: ladder.continues_as ?? '',
  ranks: ladder.ranks.map(toRankValues),
})

const EMPTY_RANK = {
  second_colour: '',
  pattern: 'solid',
  tags_count: '',
  tags_colour: '',
  stripes: '',
  belt_level: 'white',
  fee: '',
  ...mapNumberFields(() => ''),
  needs_approval: false,
  needs_fee: false,
} as const

/** A new rank starts with the settings of the rank below, but without its name and skills. */
export const createRankAbove = (lowerRank: RankValues | undefined): RankValues => ({
  ...EMPTY_RANK,
  ...lowerRank,
  key: newIdempotencyKey(),
  id: '',
  name: '',
  short: '',
  colour: lowerRank?.colour || 'white',
  min_age: '',
  max_age: '',
  skills: [],
})

export const createSkill = (): SkillValues => ({
  key: newIdempotencyKey(),
  id: '',
  name: '',
  required: true,
})

export const createLadder = (): LadderValues => ({
  name: '',
  min_age: '',
  max_age: '',
  age_counts: 'birthday',
  continues_as: '',
  ranks: [{ ...createRankAbove(undefined), name: 'White belt' }],
})

/** Ignores a second color that was selected before a pattern with only one color. */
function listColours({ colour, second_colour, pattern }: RankValues): RankColour[] {
  const colours = hasSecondColour(pattern) ? [colour, second_colour] : [colour]
  return colours.filter((name) => name !== '')
}

export const toPreviewRank = (rank: RankValues): ShownRank => ({
  id: rank.key,
  name: rank.name,
  colours: listColours(rank),
  pattern: rank.pattern,
  tags_count: toNumber(rank.tags_count) || 0,
  tags_colour: rank.tags_colour || null,
})

export const toRank = (rank: RankValues): RankForm => ({
  ...(rank.id && { id: rank.id }),
  name: rank.name,
  short: rank.short || null,
  colours: listColours(rank),
  pattern: rank.pattern,
  tags_count: toNumber(rank.tags_count) ?? 0,
  tags_colour: toNumber(rank.tags_count) ? rank.tags_colour || null : null,
  stripes: toNumber(rank.stripes) ?? 0,
  belt_level: rank.belt_level,
  fee: parseMoney(rank.fee) ?? null,
  ...mapNumberFields((field) => toNumber(rank[field])),
  needs_approval: rank.needs_approval,
  needs_fee: rank.needs_fee,
  skills: rank.skills.map(({ id, name, required }) => ({ ...(id && { id }), name, required })),
})

export const toLadder = (values: LadderValues): LadderForm => ({
  name: values.name,
  min_age: toNumber(values.min_age),
  max_age: toNumber(values.max_age),
  age_counts: values.age_counts,
  continues_as: values.continues_as || null,
  ranks: values.ranks.map(toRank),
})

/** Returns the form's field for a path in the request, where both colors are in `colours`. */
export const findFormField = (path: string): string =>
  path
    .replace(/^(ranks\.\d+)\.colours(\.0)?$/, '$1.colour')
    .replace(/\.colours\.1$/, '.second_colour')

export function moveItem<Item>(list: readonly Item[], fromIndex: number, toIndex: number): Item[] {
  if (toIndex < 0 || toIndex >= list.length) return [...list]
  const movedItems = list.slice(fromIndex, fromIndex + 1)
  return list.toSpliced(fromIndex, 1).toSpliced(toIndex, 0, ...movedItems)
}
