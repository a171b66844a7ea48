import type { Notification } from '@tatami/contract/notifications/notifications'
import { expect, test } from 'vitest'
import { groupSimilar } from './notification-groups.ts'

const createNotifications = (...titles: string[]) =>
  titles.map((title, index) => ({ id: String(index), title }) as Notification)
const groupIds = (list: readonly Notification[]) =>
  groupSimilar(list).map(({ newest, similar }) => [newest.id, ...similar.map(({ id }) => id)])

test('groups four or more notifications in a row with the same title', () => {
  expect(
    groupIds(createNotifications('Joined', 'Excuse', 'Excuse', 'Excuse', 'Excuse', 'Joined')),
  ).toEqual([['0'], ['1', '2', '3', '4'], ['5']])
})

test('does not group three notifications with the same title', () => {
  expect(groupIds(createNotifications('Excuse', 'Excuse', 'Excuse', 'Joined'))).toEqual([
    ['0'],
    ['1'],
    ['2'],
    ['3'],
  ])
})
