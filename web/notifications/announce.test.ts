import { expect, test } from 'vitest'
import { findNotificationToAnnounce } from './announce.ts'

const NOON = Date.parse('2026-11-21T12:00:00.000Z')
const createNotification = (id: string, created_at: string, { is_read = false } = {}) => ({
  id,
  title: 'Closed',
  message: 'On Monday',
  sender_name: null,
  student_id: null,
  created_at,
  is_read,
  read_at: is_read ? created_at : null,
  opens: null,
})

const freshNotification = createNotification('b', '2026-11-21T11:59:31.000Z')
const staleNotification = createNotification('a', '2026-11-21T11:59:30.000Z')

test('announces the newest notification while it is unread and under 30 seconds old', () => {
  expect(findNotificationToAnnounce([freshNotification, staleNotification], NOON, null)).toBe(
    freshNotification,
  )
  expect(findNotificationToAnnounce([staleNotification], NOON, null)).toBeNull()
  expect(
    findNotificationToAnnounce(
      [createNotification('b', freshNotification.created_at, { is_read: true })],
      NOON,
      null,
    ),
  ).toBeNull()
  expect(findNotificationToAnnounce([], NOON, null)).toBeNull()
})

test('ignores a fresh unread notification that is not the newest', () => {
  expect(
    findNotificationToAnnounce(
      [createNotification('c', freshNotification.created_at, { is_read: true }), freshNotification],
      NOON,
      null,
    ),
  ).toBeNull()
})

test('announces each notification once', () => {
  expect(findNotificationToAnnounce([freshNotification, staleNotification], NOON, 'b')).toBeNull()
  const newNotification = createNotification('c', '2026-11-21T11:59:59.000Z')
  expect(findNotificationToAnnounce([newNotification, freshNotification], NOON, 'b')).toBe(
    newNotification,
  )
})

test('announces a notification that is newer than the last response', () => {
  const futureNotification = createNotification('d', '2026-11-21T12:00:00.900Z')
  expect(findNotificationToAnnounce([futureNotification], NOON, null)).toBe(futureNotification)
})
