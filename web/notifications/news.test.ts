import { expect, test } from 'vitest'
import { newsIn } from './news.ts'

const NOON = Date.parse('2026-11-21T12:00:00.000Z')
const of = (id: string, created_at: string, is_read = false) => ({
  id,
  title: 'Closed',
  message: 'On Monday',
  sender_name: null,
  created_at,
  is_read,
  read_at: is_read ? created_at : null,
})

const fresh = of('b', '2026-11-21T11:59:31.000Z')
const old = of('a', '2026-11-21T11:59:30.000Z')

test('the newest is news while it is unread and under 30 seconds old', () => {
  expect(newsIn([fresh, old], NOON, null)).toBe(fresh)
  expect(newsIn([old], NOON, null)).toBeNull()
  expect(newsIn([of('b', fresh.created_at, true)], NOON, null)).toBeNull()
  expect(newsIn([], NOON, null)).toBeNull()
})

test('only the newest counts, however fresh an unread one below it', () => {
  expect(newsIn([of('c', fresh.created_at, true), fresh], NOON, null)).toBeNull()
})

test('each is news once, and the next one again', () => {
  expect(newsIn([fresh, old], NOON, 'b')).toBeNull()
  const next = of('c', '2026-11-21T11:59:59.000Z')
  expect(newsIn([next, fresh], NOON, 'b')).toBe(next)
})

test('one that the server made a moment after the time we heard from it is fresh', () => {
  const ahead = of('d', '2026-11-21T12:00:00.900Z')
  expect(newsIn([ahead], NOON, null)).toBe(ahead)
})
