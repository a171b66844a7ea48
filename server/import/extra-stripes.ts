import type { ImportForm } from '@tatami/contract/import/import-form'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import type { RankRow } from '../belts/styles.ts'
import type { BeltReader } from './belts.ts'
import type { SheetRow, UncheckedRow } from './rows.ts'

/** A student's rank, and a number of stripes that is higher than the rank allows. */
export type ExtraStripes = { rank: RankRow; stripes: number }

/** Applies the instructor's choice about extra stripes. Without a choice, the row has a problem. */
export function checkExtraStripes(
  sheetRow: UncheckedRow,
  { findRank }: BeltReader,
  { extra_stripes: choice }: ImportForm,
): ExtraStripes | null {
  const { person, belt, beltText, problems, notices } = sheetRow
  const { stripes } = person
  const rank = findRank(person)
  // If the belt is unknown, we ask about the belt first.
  const hasUnknownBelt = problems.some(({ field }) => field === 'belt_level')
  if (!stripes || !rank || stripes <= rank.stripes || hasUnknownBelt) return null
  const isInBeltCell = beltText !== null && beltText !== belt
  const field = isInBeltCell ? ('belt_level' as const) : ('stripes' as const)
  const message = `Your ${rank.name} belt can’t have ${formatStripes(stripes)} yet`
  if (choice === undefined) problems.push({ field, message })
  if (choice === 'notes') {
    const note = isInBeltCell ? `Belt: ${beltText}` : `Stripes: ${stripes}`
    person.stripes = null
    person.private_notes = [person.private_notes, note].filter(Boolean).join('\n')
    notices.push({ field, message: `Saved in notes: “${note}”` })
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

/** Rank id → the rank with the highest number of stripes in the sheet. */
function findHighestByRank(extraStripes: readonly ExtraStripes[]): Map<string, ExtraStripes> {
  const highestByRank = new Map<string, ExtraStripes>()
  for (const rankWithStripes of extraStripes) {
    const { rank, stripes } = rankWithStripes
    const highestSoFar = highestByRank.get(rank.id)?.stripes ?? 0
    if (stripes > highestSoFar) highestByRank.set(rank.id, rankWithStripes)
  }
  return highestByRank
}
