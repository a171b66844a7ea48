import type { MissingRule } from '@tatami/contract/belts/eligibility'
import type { GradingResult } from '@tatami/contract/gradings/gradings'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { expect, test } from 'vitest'
import {
  describeAnswers,
  describeComing,
  writeInvitation,
  isNearlyReady,
  writeNearlyReadyText,
  describeOutcome,
  describePastOutcome,
  suggestDate,
  suggestName,
} from './grading-text.ts'

const createMissingRule = (
  rule: MissingRule['rule'],
  short_by: number | null = null,
): MissingRule => ({
  rule,
  short_by,
  until: null,
})
const createStudent = (...rules: MissingRule[]) =>
  ({ readiness: rules.length > 0 ? 'short' : 'ready', missing: rules }) as ReadyStudent

test('suggests a Saturday at least two weeks away, and a name with the month', () => {
  expect(['2026-11-27', '2026-11-28', '2026-11-29'].map(suggestDate)).toEqual([
    '2026-12-12',
    '2026-12-12',
    '2026-12-19',
  ])
  expect(suggestName('2026-12-12')).toBe('December belt test')
})

const writeText = (forecast: ReadyStudent, readinessToday?: ReadyStudent) =>
  writeNearlyReadyText(forecast, readinessToday, '2026-12-12')

test('tells a nearly ready student how many classes are left as of today', () => {
  const mia = createStudent(createMissingRule('classes', 2))
  expect(writeText(mia)).toBe(
    'Hi {name}, two more classes before December 12 and you’re ready for the belt test.',
  )
  const miaToday = createStudent(createMissingRule('classes', 5), createMissingRule('months', 20))
  expect(writeText(mia, miaToday)).toContain('five more classes before')
  expect(
    writeText(createStudent(createMissingRule('classes', 1), createMissingRule('skills', 1))),
  ).toBe(
    'Hi {name}, one more class before December 12 and you’re ready for the belt test. ' +
      'Also missing: 1 skill.',
  )
})

test('counts a student as nearly ready if only one or two classes are missing', () => {
  const nearlyReady = [
    [createMissingRule('classes', 2)],
    [createMissingRule('classes', 3)],
    [],
    [createMissingRule('classes', 1), createMissingRule('approval')],
    [createMissingRule('classes', 1), createMissingRule('min_age')],
    [createMissingRule('classes', 1), createMissingRule('months', 9)],
  ].map((rules) => isNearlyReady(createStudent(...rules)))
  expect(nearlyReady).toEqual([true, false, false, true, false, false])
})

test('describes the outcome before and after the belt test is finished', () => {
  const createOutcome = (
    result: GradingResult,
    stripes_given: number | null,
    has_rank = false,
  ) => ({
    result,
    stripes_given,
    has_rank,
  })
  const createOutcomes = (passCount: number, stripeCount: number, stayingCount: number) => [
    ...Array.from({ length: passCount }, () => createOutcome('pass', null)),
    ...Array.from({ length: stripeCount }, () => createOutcome('partial', 1)),
    // A partial pass without a stripe counts like a failed test.
    ...Array.from({ length: stayingCount }, (_, index) =>
      createOutcome(index % 2 ? 'fail' : 'partial', 0),
    ),
  ]
  expect(describeOutcome(createOutcomes(9, 1, 2))).toBe(
    '9 are promoted, 1 gets a stripe, 2 stay at their current rank.',
  )
  expect(describeOutcome(createOutcomes(1, 2, 1))).toBe(
    '1 is promoted, 2 get stripes, 1 stays at their current rank.',
  )
  expect(describeOutcome(createOutcomes(0, 0, 3))).toBe(
    'No one is promoted, 3 stay at their current rank.',
  )
  expect(describeOutcome([...createOutcomes(1, 0, 1), createOutcome('pass', null, true)])).toBe(
    '1 is promoted, 1 stays at their current rank, 1 already has the rank.',
  )
  expect(describePastOutcome(createOutcomes(2, 1, 0))).toBe('2 were promoted, 1 got a stripe.')
})

test('describes how many candidates have answered', () => {
  const counts = { candidates: 12, invited: 12, yes: 8, no: 1, unanswered: 3, passed: 0 }
  expect(describeAnswers({ counts, state: 'open' })).toBe(
    '12 candidates, 8 coming, 1 not coming, 3 haven’t answered',
  )
  expect(describeAnswers({ counts: { ...counts, unanswered: 2 }, state: 'open' })).toBe(
    '12 candidates, 8 coming, 1 not coming, 2 haven’t answered, 1 already has the rank',
  )
})

test('writes an invitation with the date, the place, the fee, and how to answer', () => {
  const grading = {
    held_on: '2026-12-12',
    held_at: '18:00',
    place: 'Main hall',
    fee: 40,
    answer_until: '2026-12-05',
  }
  const narrowSpace = '\u202f'
  expect(writeInvitation(grading).replaceAll(narrowSpace, ' ')).toBe(
    'Hi {name}, you’re invited to the belt test on Saturday, December 12, 6:00 PM, Main hall. ' +
      'It costs $40.00. Please answer by December 5: reply COMING or NOT COMING.',
  )
  expect(
    writeInvitation({ ...grading, held_at: null, place: null, fee: null, answer_until: null }),
  ).toBe(
    'Hi {name}, you’re invited to the belt test on Saturday, December 12. ' +
      'Please answer: reply COMING or NOT COMING.',
  )
})

test('counts the students who are coming and those who have not answered', () => {
  const describeCounts = (candidates: number, yesCount: number, noCount: number) =>
    describeComing({
      counts: {
        candidates,
        invited: 0,
        yes: yesCount,
        no: noCount,
        unanswered: candidates - yesCount - noCount,
        passed: 0,
      },
    })
  expect(describeCounts(0, 0, 0)).toBe('No candidates yet')
  expect(describeCounts(3, 0, 0)).toBe('0 coming, 3 haven’t answered')
  expect(describeCounts(3, 1, 1)).toBe('1 coming, 1 hasn’t answered')
  expect(describeCounts(3, 2, 1)).toBe('2 coming')
})
