import { expect, test } from 'vitest'
import { describeAdulthood, isAdultSoon } from './adulthood-text.ts'

const link = {
  student_name: 'Leo Diaz',
  sees: true,
  sees_fees: true,
  may_edit: false,
  adult_on: '2027-03-01' as string | null,
  student_agreed: false,
  agrees_to_fees: true,
  agrees_to_edit: true,
  ended_by_age: false,
}
const describeBeforeBirthday = (overrides: object = {}) =>
  describeAdulthood({ ...link, ...overrides }, '2027-02-10')
const describeOnBirthday = (overrides: object = {}) =>
  describeAdulthood({ ...link, ...overrides }, '2027-03-01')

test('says what ends on the 18th birthday and what the student agreed to', () => {
  expect(describeBeforeBirthday()).toBe(
    'Leo turns 18 on Mar\u00A01,\u00A02027. Then seeing the page and seeing fees end, unless Leo agrees.',
  )
  expect(describeBeforeBirthday({ sees_fees: false })).toBe(
    'Leo turns 18 on Mar\u00A01,\u00A02027. Then seeing the page ends, unless Leo agrees.',
  )
  expect(describeBeforeBirthday({ student_agreed: true, agrees_to_fees: false })).toBe(
    'Leo turns 18 on Mar\u00A01,\u00A02027. Then seeing fees ends, unless Leo agrees. ' +
      'Leo has agreed to seeing the page.',
  )
  expect(describeBeforeBirthday({ student_agreed: true, may_edit: true })).toBe(
    'Leo turns 18 on Mar\u00A01,\u00A02027. ' +
      'Leo has agreed to seeing the page, seeing fees, and changing contacts.',
  )
  expect(describeBeforeBirthday({ sees: false, sees_fees: false })).toBe(
    'Leo turns 18 on Mar\u00A01,\u00A02027.',
  )
})

test('says what ended on the birthday, or that nothing ends without a date of birth', () => {
  expect(describeOnBirthday({ ended_by_age: true, sees: false })).toBe(
    'Ended on Mar\u00A01,\u00A02027, when Leo turned 18.',
  )
  expect(describeOnBirthday({ ended_by_age: true, student_agreed: true })).toBe(
    'Leo turned 18 on Mar\u00A01,\u00A02027.',
  )
  expect(describeOnBirthday({ adult_on: null })).toBe(
    'Leo has no date of birth, so nothing ends automatically at 18.',
  )
})

test('mentions the birthday during the 90 days before it', () => {
  expect(
    ['2026-11-30', '2026-12-01', '2027-02-28', '2027-03-01'].map((day) => isAdultSoon(link, day)),
  ).toEqual([false, true, true, false])
  expect(isAdultSoon({ adult_on: null })).toBe(false)
})
