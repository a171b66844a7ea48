import { parseMoney } from '@tatami/contract/lib/money'
import type { Ladder, Rank } from '@tatami/contract/belts/belts'
import type { LadderForm, RankForm } from '@tatami/contract/belts/ladder-form'
import type { Belt, RankColour, RankPattern, ShownRank } from '@tatami/contract/lib/ranks'
import { newIdempotencyKey } from '../lib/api.ts'

const NUMBERS = [
  'min_months',
  'min_classes',
  'max_classes_a_day',
  'min_age',
  'max_age',
  'min_stripes',
] as const
type NumberField = (typeof NUMBERS)[number]
const numbers = <V>(valueOf: (field: NumberField) => V) =>
  Object.fromEntries(NUMBERS.map((field) => [field, valueOf(field)])) as Record<NumberField, V>

/** The editor's fields: numbers as typed, '' for no choice. */
export type SkillValues = { key: string; id: string; name: string; required: boolean }
export type RankValues = Record<NumberField, string> & {
  /** Stays the same when the rank moves. */
  key: string
  /** Empty for a new rank. */
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

const TWO_COLOURS: readonly RankPattern[] = ['split', 'centre-stripe', 'tip', 'panels', 'patch']
export const hasSecondColour = (pattern: RankPattern): boolean => TWO_COLOURS.includes(pattern)

const toText = (value: number | null): string => (value === null ? '' : String(value))
const typedCount = (value: number): string => (value === 0 ? '' : String(value))
/** Null for an empty field; NaN, which no rule accepts, for anything but digits. */
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
  fee: toText(rank.fee),
  ...numbers((field) => toText(rank[field])),
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

const FIRST_RANK = {
  second: '',
  pattern: 'solid',
  tags_count: '',
  tags_colour: '',
  stripes: '',
  belt_level: 'white',
  fee: '',
  ...numbers(() => ''),
  needs_approval: false,
  needs_fee: false,
} as const

/** A new rank starts as a copy of the one below. */
export const rankAfter = (lowerRank: RankValues | undefined): RankValues => ({
  ...FIRST_RANK,
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

export const newSkill = (): SkillValues => ({
  key: newIdempotencyKey(),
  id: '',
  name: '',
  required: true,
})

export const newLadder = (): LadderValues => ({
  name: '',
  min_age: '',
  max_age: '',
  age_counts: 'birthday',
  continues_as: '',
  ranks: [{ ...rankAfter(undefined), name: 'White belt' }],
})

/** A solid belt loses its second color, which the form still holds. */
export const coloursOf = (rank: Pick<RankValues, 'colour' | 'second' | 'pattern'>): RankColour[] =>
  [rank.colour, hasSecondColour(rank.pattern) ? rank.second : ''].filter((colour) => colour !== '')

export const drawnOf = (rank: RankValues): ShownRank => ({
  id: rank.key,
  name: rank.name,
  colours: coloursOf(rank),
  pattern: rank.pattern,
  tags_count: toNumber(rank.tags_count) || 0,
  tags_colour: rank.tags_colour || null,
})

export const toRank = (rank: RankValues): RankForm => ({
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
  ...numbers((field) => toNumber(rank[field])),
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

/** The form's field for a path of the API, which has both colors under `colours`. */
export const fieldOfPath = (path: string): string =>
  path.replace(/^(ranks\.\d+)\.colours(\.0)?$/, '$1.colour').replace(/\.colours\.1$/, '.second')

/** Returns a copy with the item moved; unchanged if there is no such place. */
export function moveItem<T>(list: readonly T[], fromIndex: number, toIndex: number): T[] {
  if (toIndex < 0 || toIndex >= list.length) return [...list]
  const movedItems = list.slice(fromIndex, fromIndex + 1)
  return list.toSpliced(fromIndex, 1).toSpliced(toIndex, 0, ...movedItems)
}
