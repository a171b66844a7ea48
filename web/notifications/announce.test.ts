import { expect, test } from 'vitest'
import { notificationToAnnounce } from './announce.ts'

const NOON = Date.parse('2026-11-21T12:00:00.000Z')
const createNotification = (id: string, created_at: string, is_read = false) => ({
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

const fresh = createNotification('b', '2026-11-21T11:59:31.000Z')
const old = createNotification('a', '2026-11-21T11:59:30.000Z')

test('announces the newest notification while it is unread and under 30 seconds old', () => {
  expect(notificationToAnnounce([fresh, old], NOON, null)).toBe(fresh)
  expect(notificationToAnnounce([old], NOON, null)).toBeNull()
  expect(
    notificationToAnnounce([createNotification('b', fresh.created_at, true)], NOON, null),
  ).toBeNull()
  expect(notificationToAnnounce([], NOON, null)).toBeNull()
})

test('ignores a fresh unread notification below the newest', () => {
  expect(
    notificationToAnnounce([createNotification('c', fresh.created_at, true), fresh], NOON, null),
  ).toBeNull()
})

test('announces each notification once', () => {
  expect(notificationToAnnounce([fresh, old], NOON, 'b')).toBeNull()
  const newer = createNotification('c', '2026-11-21T11:59:59.000Z')
  expect(notificationToAnnounce([newer, fresh], NOON, 'b')).toBe(newer)
})

test('counts a notification dated after the last response as fresh', () => {
  const ahead = createNotification('d', '2026-11-21T12:00:00.900Z')
  expect(notificationToAnnounce([ahead], NOON, null)).toBe(ahead)
})
