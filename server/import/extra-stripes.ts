import type { ImportForm } from '@tatami/contract/import/import-form'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import type { RankRow } from '../belts/styles.ts'
import type { BeltReader } from './belts.ts'
import type { SheetRow, UncheckedRow } from './rows.ts'

/** A student's rank, and more stripes than it can have. */
export type ExtraStripes = { rank: RankRow; stripes: number }

/** Does what the form says with extra stripes. Without an answer, they are a problem of the row. */
export function checkExtraStripes(
  sheetRow: UncheckedRow,
  { rankOf }: BeltReader,
  { extra_stripes: choice }: ImportForm,
): ExtraStripes | null {
  const { person, belt, beltText, problems, notices } = sheetRow
  const { stripes } = person
  const rank = rankOf(person)
  // If the belt is unknown, we ask about the belt first.
  const hasUnknownBelt = problems.some(({ field }) => field === 'belt_level')
  if (!stripes || !rank || stripes <= rank.stripes || hasUnknownBelt) return null
  const isInBeltCell = beltText !== null && beltText !== belt
  const field = isInBeltCell ? ('belt_level' as const) : ('stripes' as const)
  const message = `Your ${rank.name} belt can’t have ${formatStripes(stripes)} yet`
  if (choice === undefined) problems.push({ field, message })
  if (choice === 'notes') {
    const line = isInBeltCell ? `Belt: ${beltText}` : `Stripes: ${stripes}`
    person.stripes = null
    person.private_notes = [person.private_notes, line].filter(Boolean).join('\n')
    notices.push({ field, message: `Saved in notes: “${line}”` })
  }
  return { rank, stripes }
}

const formatStripes = (stripes: number) => (stripes === 1 ? '1 stripe' : `${stripes} stripes`)

export function summarizeExtraStripes(
  rows: readonly SheetRow[],
): ImportPlan['extra_stripes_in_sheet'] {
  const extraStripes = rows.flatMap((row) => row.extraStripes ?? [])
  const belts = [...findHighestByRank(extraStripes).values()]
    .toSorted((a, b) => a.rank.place - b.rank.place)
    .map(({ rank, stripes }) => ({ name: rank.name, stripes }))
  return { rows: extraStripes.length, belts }
}

/** Rank id → the rank with the highest number of stripes. */
function findHighestByRank(extraStripes: readonly ExtraStripes[]): Map<string, ExtraStripes> {
  const highest = new Map<string, ExtraStripes>()
  for (const extra of extraStripes) {
    const highestSoFar = highest.get(extra.rank.id)
    if (!highestSoFar || highestSoFar.stripes < extra.stripes) highest.set(extra.rank.id, extra)
  }
  return highest
}
