import type { Candidate } from '@tatami/contract/gradings/gradings'
import type { ShownRank } from '@tatami/contract/lib/ranks'
import { pluralize } from '../lib/text.ts'
import { describeRank } from '../ui/rank-belt.tsx'

/** Belts that look the same, even if they are for different ranks. */
export type BeltOrder = {
  rank: ShownRank
  /** "8th kyu, 7th kyu" */
  names: string
  sizes: { size: string; count: number }[]
  withoutSize: { student_id: string; name: string }[]
  total: number
}

/** Ranks have the same key if their belts look the same. */
const drawingKey = ({ colours, pattern, tags_count, tags_colour }: ShownRank) =>
  JSON.stringify([colours, pattern, tags_count, tags_colour])

/** Sorts the children's sizes 00 and 000 below 0. */
const sizeOrder = (size: string) => (/^0+$/.test(size) ? 1 - size.length : Number.parseFloat(size))
const compareSizes = (a: string, b: string) =>
  sizeOrder(a) - sizeOrder(b) || a.localeCompare(b, undefined, { numeric: true })

/** Skips students who are not coming, did not pass or already have such a belt. */
export function listBeltsToOrder(candidates: readonly Candidate[]): BeltOrder[] {
  const recipients = candidates.filter(
    ({ answer, result, from_rank, to_rank, has_rank }) =>
      !has_rank &&
      answer !== 'no' &&
      (result === null || result === 'pass') &&
      (from_rank === null || drawingKey(from_rank) !== drawingKey(to_rank)),
  )
  const groups = Map.groupBy(recipients, ({ to_rank }) => drawingKey(to_rank))
  return [...groups.values()].flatMap((group) => {
    const [firstCandidate] = group
    if (!firstCandidate) return []
    const sizes = group.flatMap(({ belt_size }) => belt_size ?? [])
    return {
      rank: firstCandidate.to_rank,
      names: [...new Set(group.map(({ to_rank }) => to_rank.name))].join(', '),
      sizes: [...Map.groupBy(sizes, (size) => size)]
        .map(([size, { length }]) => ({ size, count: length }))
        .toSorted((a, b) => compareSizes(a.size, b.size)),
      withoutSize: group
        .filter(({ belt_size }) => belt_size === null)
        .map(({ student_id, name }) => ({ student_id, name })),
      total: group.length,
    }
  })
}

/** One line per belt: "yellow belt (8th kyu): 2 of size 1, 1 without a size (Ken Adams)". */
export const formatOrders = (orders: readonly BeltOrder[]): string =>
  orders
    .map(({ rank, names, sizes, withoutSize }) => {
      const counts = sizes.map(({ size, count }) => `${count} of size ${size}`)
      if (withoutSize.length > 0) {
        const studentNames = withoutSize.map(({ name }) => name).join(', ')
        counts.push(`${withoutSize.length} without a size (${studentNames})`)
      }
      return `${describeRank(rank)} (${names}): ${counts.join(', ')}`
    })
    .join('\n')

export const describeTotal = (orders: readonly BeltOrder[]) =>
  pluralize(
    orders.reduce((sum, { total }) => sum + total, 0),
    'belt',
  )
