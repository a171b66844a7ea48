import { expect, test } from 'vitest'
import { toLockScreenText } from './lock-screen-text.ts'

const getLockScreenBody = (message: string) => toLockScreenText({ title: 'Notice', message }).body

test('shows a short notification unchanged', () => {
  const message = 'You now wear the yellow belt.'
  expect(toLockScreenText({ title: 'New belt', message })).toEqual({
    title: 'New belt',
    body: message,
  })
})

test('removes phone numbers and email addresses, but not dates and amounts', () => {
  expect(
    getLockScreenBody(
      'Call Ann on (512) 555-0142 or +1 512 555 0143, or write to ann.adams@home.org.',
    ),
  ).toBe('Call Ann on … or …, or write to ….')
  const messageWithDates = 'Closed from 2026-11-21, back on 11/30. Pay 85.50 by 4:00 PM.'
  expect(getLockScreenBody(messageWithDates)).toBe(messageWithDates)
})

test('truncates a long text between characters and puts it on one line', () => {
  const clippedText = getLockScreenBody(`First line\n\nsecond ${'🥋'.repeat(200)}`)
  expect(clippedText.startsWith('First line second 🥋')).toBe(true)
  expect([...clippedText]).toHaveLength(160)
  expect(clippedText.endsWith('🥋…')).toBe(true)
})
