import type { Candidate } from '@tatami/contract/gradings/gradings'
import type { ShownRank } from '@tatami/contract/lib/ranks'
import { pluralize } from '../lib/text.ts'
import { drawnWords } from '../ui/rank-belt.tsx'

/** Belts that look the same, whatever ranks they are for. */
export type BeltOrder = {
  rank: ShownRank
  /** "8th kyu, 7th kyu" */
  names: string
  sizes: { size: string; count: number }[]
  /** Who has no belt size. */
  withoutSize: { student_id: string; name: string }[]
  total: number
}

const drawingOf = ({ colours, pattern, tags_count, tags_colour }: ShownRank) =>
  JSON.stringify([colours, pattern, tags_count, tags_colour])

/** Children's sizes 00 and 000 are below 0. */
const sizeOrder = (size: string) => (/^0+$/.test(size) ? 1 - size.length : Number.parseFloat(size))
const compareSizes = (a: string, b: string) =>
  sizeOrder(a) - sizeOrder(b) || a.localeCompare(b, undefined, { numeric: true })

/** The belts that candidates will need, in the order of the candidates. Whoever does not come, did not pass or has such a belt needs none. */
export function beltsToOrder(candidates: readonly Candidate[]): BeltOrder[] {
  const needing = candidates.filter(
    ({ answer, result, from_rank, to_rank }) =>
      answer !== 'no' &&
      (result === null || result === 'pass') &&
      (from_rank === null || drawingOf(from_rank) !== drawingOf(to_rank)),
  )
  return [...Map.groupBy(needing, ({ to_rank }) => drawingOf(to_rank)).values()].map((group) => {
    const bySize = Map.groupBy(
      group.filter(({ belt_size }) => belt_size !== null),
      ({ belt_size }) => belt_size!,
    )
    return {
      rank: group[0]!.to_rank,
      names: [...new Set(group.map(({ to_rank }) => to_rank.name))].join(', '),
      sizes: [...bySize]
        .map(([size, { length }]) => ({ size, count: length }))
        .toSorted((a, b) => compareSizes(a.size, b.size)),
      withoutSize: group
        .filter(({ belt_size }) => belt_size === null)
        .map(({ student_id, name }) => ({ student_id, name })),
      total: group.length,
    }
  })
}

/** "yellow belt (8th kyu): 2 of size 1, 1 of size 2, 1 without a size (Ken Adams)"; a line for each. */
export const orderText = (orders: readonly BeltOrder[]): string =>
  orders
    .map(({ rank, names, sizes, withoutSize }) => {
      const counts = sizes.map(({ size, count }) => `${count} of size ${size}`)
      const unsizedWords =
        withoutSize.length > 0
          ? [
              `${withoutSize.length} without a size (${withoutSize.map(({ name }) => name).join(', ')})`,
            ]
          : []
      return `${drawnWords(rank)} (${names}): ${[...counts, ...unsizedWords].join(', ')}`
    })
    .join('\n')

/** "7 belts" */
export const totalWords = (orders: readonly BeltOrder[]) =>
  pluralize(
    orders.reduce((sum, { total }) => sum + total, 0),
    'belt',
  )
