import type { Greeting } from '@tatami/contract/kiosk/kiosk'
import { expect, test } from 'vitest'
import { describeNextRank } from './greeting-text.ts'

const greeting: Greeting = {
  photo: null,
  first_name: 'Emma',
  class_name: 'Kids',
  class_time: '4:00 PM - 5:00 PM',
  is_birthday: false,
  was_here: false,
  entry_words: null,
  sees_instructor: false,
  progress: null,
  next: {
    id: 'r',
    name: 'Green',
    colours: ['green'],
    pattern: 'solid',
    tags_count: 0,
    tags_colour: null,
  },
  missing: [],
  completion: null,
  is_ready: false,
  instructor_decides: false,
  papers: null,
}

test('describes what a student needs for the next belt', () => {
  expect(
    describeNextRank({ ...greeting, missing: [{ rule: 'classes', short_by: 2, until: null }] }),
  ).toBe('Still missing for green belt: 2 classes')
  expect(describeNextRank({ ...greeting, is_ready: true })).toBe('Ready for green belt')
  expect(describeNextRank({ ...greeting, instructor_decides: true })).toBe(
    'Next: Green belt. Your instructor decides when it’s time.',
  )
  expect(describeNextRank(greeting)).toBeNull()
  expect(describeNextRank({ ...greeting, next: null })).toBeNull()
})
