import type { Candidate } from '@tatami/contract/gradings/gradings'
import type { ShownRank } from '@tatami/contract/lib/ranks'
import { pluralize } from '../lib/text.ts'
import { describeRank } from '../ui/rank-belt.tsx'

/** The belts to order with one design, even if they are for different ranks. */
export type BeltOrder = {
  rank: ShownRank
  /** For example "8th kyu, 7th kyu" */
  rankNames: string
  sizes: { size: string; count: number }[]
  studentsWithoutSize: { student_id: string; name: string }[]
  beltCount: number
}

/** Ranks have the same key if their belts look the same. */
const createDesignKey = ({ colours, pattern, tags_count, tags_colour }: ShownRank) =>
  JSON.stringify([colours, pattern, tags_count, tags_colour])

/** Sorts the children's sizes 00 and 000 below 0. */
const sizeToNumber = (size: string) =>
  /^0+$/.test(size) ? 1 - size.length : Number.parseFloat(size)
const compareSizes = (a: string, b: string) =>
  sizeToNumber(a) - sizeToNumber(b) || a.localeCompare(b, undefined, { numeric: true })

/** Skips students who are not coming, did not pass or already have such a belt. */
export function listBeltsToOrder(candidates: readonly Candidate[]): BeltOrder[] {
  const recipients = candidates.filter(
    ({ answer, result, from_rank, to_rank, has_rank }) =>
      !has_rank &&
      answer !== 'no' &&
      (result === null || result === 'pass') &&
      (from_rank === null || createDesignKey(from_rank) !== createDesignKey(to_rank)),
  )
  const orders: BeltOrder[] = []
  for (const group of Map.groupBy(recipients, ({ to_rank }) => createDesignKey(to_rank)).values()) {
    const [firstCandidate] = group
    if (firstCandidate) orders.push(createOrder(firstCandidate.to_rank, group))
  }
  return orders
}

function createOrder(rank: ShownRank, candidates: readonly Candidate[]): BeltOrder {
  const sizes = candidates.map(({ belt_size }) => belt_size).filter((size) => size !== null)
  return {
    rank,
    rankNames: [...new Set(candidates.map(({ to_rank }) => to_rank.name))].join(', '),
    sizes: [...Map.groupBy(sizes, (size) => size)]
      .map(([size, equalSizes]) => ({ size, count: equalSizes.length }))
      .toSorted((a, b) => compareSizes(a.size, b.size)),
    studentsWithoutSize: candidates
      .filter(({ belt_size }) => belt_size === null)
      .map(({ student_id, name }) => ({ student_id, name })),
    beltCount: candidates.length,
  }
}

/** Returns for example "yellow belt (8th kyu): 2 of size 1, 1 without a size (Ken Adams)". */
function formatOrder({ rank, rankNames, sizes, studentsWithoutSize }: BeltOrder): string {
  const counts = sizes.map(({ size, count }) => `${count} of size ${size}`)
  if (studentsWithoutSize.length > 0) {
    const studentNames = studentsWithoutSize.map(({ name }) => name).join(', ')
    counts.push(`${studentsWithoutSize.length} without a size (${studentNames})`)
  }
  return `${describeRank(rank)} (${rankNames}): ${counts.join(', ')}`
}

/** Returns one line for each belt design. */
export const formatOrders = (orders: readonly BeltOrder[]): string =>
  orders.map((order) => formatOrder(order)).join('\n')

export const describeTotal = (orders: readonly BeltOrder[]) =>
  pluralize(
    orders.reduce((sum, { beltCount }) => sum + beltCount, 0),
    'belt',
  )
