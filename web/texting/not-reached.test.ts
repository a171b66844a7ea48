import { SKIP_REASON_LABELS } from '@tatami/contract/texting/message-types'
import type { BatchText } from '@tatami/contract/texting/text-history'
import { expect, test } from 'vitest'
import { unreachedFamilies } from './not-reached.ts'

const text = (name: string, call_phone: string | null, changes: Partial<BatchText> = {}) =>
  ({
    id: `${name} ${call_phone}`,
    student_id: name,
    name,
    state: 'delivered',
    reason: null,
    call_phone,
    acknowledged_at: null,
    ...changes,
  }) as BatchText
const families = (texts: BatchText[]) =>
  unreachedFamilies(texts).map(({ names, phones }) => [names, ...phones])
const OK = { acknowledged_at: '2027-03-01T12:00:00Z' }

test('counts a student as reached when one of their phones has replied', () => {
  expect(families([text('Leo', 'mother', OK), text('Leo', 'father'), text('Ken', 'ann')])).toEqual([
    ['Ken', 'ann'],
  ])
})

test('lists students with a phone in common as one family with all its phones', () => {
  expect(
    families([
      text('Leo', 'mother'),
      text('Leo', 'father'),
      text('Mia', 'mother'),
      text('Ken', 'ann'),
    ]),
  ).toEqual([
    ['Leo, Mia', 'mother', 'father'],
    ['Ken', 'ann'],
  ])
})

test('lists students who could not get the text, but not those on vacation', () => {
  const skip = (reason: string) => ({ state: 'skipped' as const, reason })
  const optedOut = skip(SKIP_REASON_LABELS.opted_out)
  const texts = [
    text('Leo', 'mother', optedOut),
    text('Mia', 'mother', optedOut),
    text('Ana', null, skip(SKIP_REASON_LABELS.no_valid_phone)),
    text('Zoe', 'zoe', skip(SKIP_REASON_LABELS.vacation)),
  ]
  expect(unreachedFamilies(texts)).toMatchObject([
    { names: 'Leo, Mia', phones: ['mother'], reason: SKIP_REASON_LABELS.opted_out },
    { names: 'Ana', phones: [], reason: SKIP_REASON_LABELS.no_valid_phone },
  ])
})
