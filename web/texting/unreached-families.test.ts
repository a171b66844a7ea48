import { SKIP_REASON_LABELS } from '@tatami/contract/texting/message-types'
import type { BatchText } from '@tatami/contract/texting/text-history'
import { expect, test } from 'vitest'
import { listUnreachedFamilies } from './unreached-families.ts'

const createText = (name: string, call_phone: string | null, overrides: Partial<BatchText> = {}) =>
  ({
    id: `${name} ${call_phone}`,
    student_id: name,
    name,
    state: 'delivered',
    reason: null,
    call_phone,
    acknowledged_at: null,
    ...overrides,
  }) as BatchText
const listFamilies = (texts: BatchText[]) =>
  listUnreachedFamilies(texts).map(({ names, phones }) => [names, ...phones])
const REPLIED_OK = { acknowledged_at: '2027-03-01T12:00:00Z' }

test('counts a student as reached if one of the phones replied OK', () => {
  expect(
    listFamilies([
      createText('Leo', 'mother’s phone', REPLIED_OK),
      createText('Leo', 'father’s phone'),
      createText('Ken', 'ann’s phone'),
    ]),
  ).toEqual([['Ken', 'ann’s phone']])
})

test('lists students with a phone in common as one family with all its phones', () => {
  expect(
    listFamilies([
      createText('Leo', 'mother’s phone'),
      createText('Leo', 'father’s phone'),
      createText('Mia', 'mother’s phone'),
      createText('Ken', 'ann’s phone'),
    ]),
  ).toEqual([
    ['Leo, Mia', 'mother’s phone', 'father’s phone'],
    ['Ken', 'ann’s phone'],
  ])
})

test('lists students who could not get the text, but not those on vacation', () => {
  const skippedFields = (reason: string) => ({ state: 'skipped' as const, reason })
  const optedOutFields = skippedFields(SKIP_REASON_LABELS.opted_out)
  const texts = [
    createText('Leo', 'mother’s phone', optedOutFields),
    createText('Mia', 'mother’s phone', optedOutFields),
    createText('Ana', null, skippedFields(SKIP_REASON_LABELS.no_valid_phone)),
    createText('Zoe', 'zoe’s phone', skippedFields(SKIP_REASON_LABELS.vacation)),
  ]
  expect(listUnreachedFamilies(texts)).toMatchObject([
    { names: 'Leo, Mia', phones: ['mother’s phone'], reason: SKIP_REASON_LABELS.opted_out },
    { names: 'Ana', phones: [], reason: SKIP_REASON_LABELS.no_valid_phone },
  ])
})
