import type { Candidate } from '@tatami/contract/gradings/gradings'
import type { ShownRank } from '@tatami/contract/lib/ranks'
import { expect, test } from 'vitest'
import { listBeltsToOrder, formatOrders, describeTotal } from './belts-to-order.ts'

const createRank = (name: string, ...colours: ShownRank['colours']): ShownRank => ({
  id: name,
  name,
  colours,
  pattern: colours.length > 1 ? 'tip' : 'solid',
  tags_count: 0,
  tags_colour: null,
})
const white = createRank('9th kyu', 'white')
const yellow = createRank('8th kyu', 'yellow')
const brown3 = createRank('3rd kyu', 'brown')
const brown2 = createRank('2nd kyu', 'brown')
const green = createRank('6th kyu', 'green', 'blue')

const createCandidate = (
  name: string,
  fromRank: ShownRank | null,
  toRank: ShownRank,
  overrides: Partial<Candidate> = {},
) =>
  ({
    student_id: name,
    name,
    from_rank: fromRank && { ...fromRank, stripes: 0 },
    to_rank: toRank,
    belt_size: '1',
    answer: 'yes',
    result: null,
    ...overrides,
  }) as Candidate

test('counts belts by design and size, and lists students without a size', () => {
  const orders = listBeltsToOrder([
    createCandidate('Ken', white, yellow, { belt_size: '10' }),
    createCandidate('Mia', white, yellow, { belt_size: '2' }),
    createCandidate('Leo', white, yellow, { belt_size: '0' }),
    createCandidate('Tia', white, yellow, { belt_size: '00' }),
    createCandidate('Ana', null, yellow, { belt_size: '2' }),
    createCandidate('Bo', white, yellow, { belt_size: null }),
    createCandidate('Eva', yellow, green, { belt_size: 'M' }),
  ])
  const sizeCounts = orders.map(({ sizes }) => sizes.map(({ size, count }) => `${count} × ${size}`))
  expect(sizeCounts).toEqual([['1 × 00', '1 × 0', '2 × 2', '1 × 10'], ['1 × M']])
  expect(formatOrders(orders)).toBe(
    [
      'yellow belt (8th kyu): 1 of size 00, 1 of size 0, 2 of size 2, 1 of size 10, ' +
        '1 without a size (Bo)',
      'green belt with a blue tip (6th kyu): 1 of size M',
    ].join('\n'),
  )
  expect(describeTotal(orders)).toBe('7 belts')
})

test('skips students who decline, do not pass, or already have the same belt', () => {
  const orders = listBeltsToOrder([
    createCandidate('Ken', white, yellow, { answer: 'no' }),
    createCandidate('Mia', white, yellow, { result: 'fail' }),
    createCandidate('Leo', white, yellow, { result: 'partial' }),
    createCandidate('Tia', white, yellow, { result: 'pass', answer: 'none' }),
    createCandidate('Ana', brown3, brown2),
    createCandidate('Bo', green, brown3),
    createCandidate('Eva', green, brown2),
  ])
  expect(orders.map(({ rankNames, beltCount }) => [rankNames, beltCount])).toEqual([
    ['8th kyu', 1],
    ['3rd kyu, 2nd kyu', 2],
  ])
})
