import { TEXT_STATES } from '@tatami/contract/text-history'
import { expect, test } from 'vitest'
import { BY_NEED, countedFates, FATE_WORDS, fateOf, fateWords } from './fates.ts'

test('every state of a text has a fate, and every fate its words and its place', () => {
  expect(TEXT_STATES.map(fateOf)).not.toContain(undefined)
  expect(BY_NEED.toSorted()).toEqual(Object.keys(FATE_WORDS).toSorted())
})

test('only what happened to somebody is counted; what waits for tomorrow is not on the way', () => {
  const counts = { total: 12, pending: 5, waiting: 2, queued: 3, sent: 1, delivered: 4, failed: 1, uncertain: 1, skipped: 3 }
  const words = ['4 delivered', '4 on the way', '2 waiting for tomorrow', '1 failed', '1 uncertain', '3 not sent to']
  expect(countedFates(counts).map(([fate, count]) => fateWords(fate, count))).toEqual(words)
})
