import { MONTHS, addDays, monthOfDate, nextWeekday } from '@tatami/contract/lib/calendar-day'
import { formatMoney } from '@tatami/contract/lib/money'
import { type MissingRule, describeMissing } from '@tatami/contract/belts/eligibility'
import type { Candidate, GradingSummary } from '@tatami/contract/gradings/gradings'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { formatMonthAndDay, formatWeekdayAndDay } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: 'UTC' })
export const formatTime = (time: string) => timeFormat.format(new Date(`2000-01-01T${time}Z`))

type DateAndPlace = Pick<GradingSummary, 'held_on' | 'held_at' | 'place'>
/** Returns for example "Saturday, December 12, 6:00 PM". */
export const formatDateAndTime = ({ held_on, held_at }: Omit<DateAndPlace, 'place'>) =>
  joinNonEmpty([formatWeekdayAndDay(held_on), held_at && formatTime(held_at)])
export const formatDateTimeAndPlace = (grading: DateAndPlace) =>
  joinNonEmpty([formatDateAndTime(grading), grading.place], ' · ')

/** Returns for example "December belt test", or "Belt test" without a date. */
export function suggestName(heldOn: string): string {
  const month = MONTHS[monthOfDate(heldOn).month]
  return month ? `${month} ${schoolBeltTestName().singular}` : schoolBeltTestName().capitalized
}

const DAYS_TO_INVITE = 14

/** Suggests the first Saturday that leaves two weeks for invitations. */
export const suggestDate = (today: string): string =>
  nextWeekday('saturday', addDays(today, DAYS_TO_INVITE))

const countMissingClasses = (missingRules: readonly MissingRule[]) =>
  missingRules.find(({ rule }) => rule === 'classes')?.short_by ?? 0

/** True if a student is one or two classes short and meets the rules that only time can meet, such
 *  as the age. */
export const isNearlyReady = ({ readiness, missing }: ReadyStudent) =>
  readiness === 'short' &&
  [1, 2].includes(countMissingClasses(missing)) &&
  missing.every(({ rule }) => ['classes', 'approval', 'skills', 'fee'].includes(rule))

const NUMBER_WORDS = 'no one two three four five six seven eight nine ten'.split(' ')

/** Writes the text for a student who is nearly ready. The forecast also counts classes that are
 *  still to come, so the number of missing classes as of today may be larger. */
export function writeNearlyReadyText(
  forecast: ReadyStudent,
  readinessToday: ReadyStudent | undefined,
  heldOn: string,
): string {
  const count = Math.max(
    countMissingClasses(forecast.missing),
    countMissingClasses(readinessToday?.missing ?? []),
  )
  const classes = `${NUMBER_WORDS[count] ?? count} more ${count === 1 ? 'class' : 'classes'}`
  const otherRules = forecast.missing.filter(({ rule }) => rule !== 'classes' && rule !== 'fee')
  const alsoMissing =
    otherRules.length === 0 ? '' : ` Also missing: ${describeMissing(otherRules)}.`
  return (
    `Hi {name}, ${classes} before ${formatMonthAndDay(heldOn)} and you’re ready for the ` +
    `${schoolBeltTestName().singular}.${alsoMissing}`
  )
}

/** Writes the suggested text of an invitation. The server fills in `{name}`. */
export function writeInvitation(
  grading: Pick<GradingSummary, 'held_on' | 'held_at' | 'place' | 'fee' | 'answer_until'>,
): string {
  const { place, fee, answer_until } = grading
  const placeText = place ? `, ${place}` : ''
  const cost = fee === null || fee === 0 ? '' : ` It costs ${formatMoney(fee)}.`
  const deadline = answer_until ? ` by ${formatMonthAndDay(answer_until)}` : ''
  return (
    `Hi {name}, you’re invited to the ${schoolBeltTestName().singular} ` +
    `on ${formatDateAndTime(grading)}${placeText}.${cost} ` +
    `Please answer${deadline}: reply COMING or NOT COMING.`
  )
}

type Outcome = Pick<Candidate, 'result' | 'stripes_given' | 'has_rank'>

export function countOutcomes(candidates: readonly Outcome[]) {
  const testedCandidates = candidates.filter(({ has_rank }) => !has_rank)
  const promotedCount = testedCandidates.filter(({ result }) => result === 'pass').length
  const stripeCount = testedCandidates.filter(
    ({ result, stripes_given }) => result === 'partial' && (stripes_given ?? 0) > 0,
  ).length
  return {
    promotedCount,
    stripeCount,
    stayingCount: testedCandidates.length - promotedCount - stripeCount,
    alreadyPromotedCount: candidates.length - testedCandidates.length,
  }
}

const formatCount = (count: number, singular: string, plural: string) =>
  count > 0 && `${count} ${count === 1 ? singular : plural}`

/** Returns for example "9 are promoted, 1 gets a stripe, 2 stay at their current rank." */
export function describeOutcome(candidates: readonly Outcome[]): string {
  const { promotedCount, stripeCount, stayingCount, alreadyPromotedCount } =
    countOutcomes(candidates)
  const outcomes = joinNonEmpty([
    formatCount(promotedCount, 'is promoted', 'are promoted') || 'No one is promoted',
    formatCount(stripeCount, 'gets a stripe', 'get stripes'),
    formatCount(stayingCount, 'stays at their current rank', 'stay at their current rank'),
    formatCount(alreadyPromotedCount, 'already has the rank', 'already have the rank'),
  ])
  return `${outcomes}.`
}

export function describePastOutcome(candidates: readonly Outcome[]): string {
  const { promotedCount, stripeCount, stayingCount, alreadyPromotedCount } =
    countOutcomes(candidates)
  const outcomes = joinNonEmpty([
    formatCount(promotedCount, 'was promoted', 'were promoted') || 'No one was promoted',
    formatCount(stripeCount, 'got a stripe', 'got stripes'),
    formatCount(stayingCount, 'stayed at their rank', 'stayed at their rank'),
    formatCount(alreadyPromotedCount, 'already had the rank', 'already had the rank'),
  ])
  return `${outcomes}.`
}

export function describeAnswers({
  counts: { candidates, yes, no, unanswered, passed },
  state,
}: Pick<GradingSummary, 'counts' | 'state'>): string {
  if (candidates === 0) return 'No candidates yet'
  if (state === 'finished') return `${pluralize(candidates, 'candidate')}, ${passed} passed`
  const alreadyPromotedCount = candidates - yes - no - unanswered
  return joinNonEmpty([
    pluralize(candidates, 'candidate'),
    yes > 0 && `${yes} coming`,
    no > 0 && `${no} not coming`,
    formatCount(unanswered, 'hasn’t answered', 'haven’t answered'),
    formatCount(alreadyPromotedCount, 'already has the rank', 'already have the rank'),
  ])
}

/** Returns for example "5 coming, 2 haven’t answered". */
export function describeComing({
  counts: { candidates, yes, unanswered },
}: Pick<GradingSummary, 'counts'>) {
  if (candidates === 0) return 'No candidates yet'
  return joinNonEmpty([
    `${yes} coming`,
    formatCount(unanswered, 'hasn’t answered', 'haven’t answered'),
  ])
}

export const ANSWER_LABELS = { none: 'No answer', yes: 'Coming', no: 'Not coming' } as const
export const HAS_RANK_LABEL = 'Already has it'
export const RESULT_LABELS = {
  pass: 'Pass',
  partial: 'Partial',
  fail: 'Fail',
  absent: 'Absent',
} as const

/** Returns for example "$40.00 due" or "fee waived", or an empty text if there is no fee. */
export function describeFee({ fee, fee_state }: Pick<Candidate, 'fee' | 'fee_state'>): string {
  if (fee_state === 'waived') return 'fee waived'
  if (!fee || fee_state === 'none') return ''
  return `${formatMoney(fee)} ${fee_state === 'due' ? 'due' : 'paid'}`
}
