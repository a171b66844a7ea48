import type { Notification } from '@tatami/contract/notifications/notifications'
import { expect, test } from 'vitest'
import { groupSimilar } from './notification-groups.ts'

const notifications = (...titles: string[]) =>
  titles.map((title, index) => ({ id: String(index), title }) as Notification)
const idsOf = (list: readonly Notification[]) =>
  groupSimilar(list).map(({ newest, similar }) => [newest.id, ...similar.map(({ id }) => id)])

test('puts four or more with the same title in a row together', () => {
  expect(idsOf(notifications('Joined', 'Excuse', 'Excuse', 'Excuse', 'Excuse', 'Joined'))).toEqual([
    ['0'],
    ['1', '2', '3', '4'],
    ['5'],
  ])
})

test('leaves up to three as they are', () => {
  expect(idsOf(notifications('Excuse', 'Excuse', 'Excuse', 'Joined'))).toEqual([
    ['0'],
    ['1'],
    ['2'],
    ['3'],
  ])
})
