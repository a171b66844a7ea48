import { MONTHS, addDays, monthOfDate, nextWeekday } from '@tatami/contract/lib/calendar-day'
import { formatMoney } from '@tatami/contract/lib/money'
import { type MissingRule, describeMissing } from '@tatami/contract/belts/eligibility'
import type { Candidate, GradingSummary } from '@tatami/contract/gradings/gradings'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { beltTest } from '../lib/belt-test.ts'
import { formatMonthAndDay, formatWeekdayAndDay } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: 'UTC' })
/** "6:00 PM" for "18:00" */
export const formatClock = (time: string) => clock.format(new Date(`2000-01-01T${time}Z`))

type DateAndPlace = Pick<GradingSummary, 'held_on' | 'held_at' | 'place'>
/** "Saturday, December 12, 6:00 PM" */
export const whenWords = ({ held_on, held_at }: Omit<DateAndPlace, 'place'>) =>
  joinNonEmpty([formatWeekdayAndDay(held_on), held_at && formatClock(held_at)])
/** "Saturday, December 12, 6:00 PM · Main hall" */
export const whenAndWhere = (grading: DateAndPlace) =>
  joinNonEmpty([whenWords(grading), grading.place], ' · ')

/** "December belt test"; "Belt test" as long as no date is chosen. */
export function defaultName(heldOn: string): string {
  const month = MONTHS[monthOfDate(heldOn).month]
  return month ? `${month} ${beltTest().singular}` : beltTest().capitalized
}

/** Leaves two weeks to invite. */
export const defaultDate = (today: string): string => nextWeekday('saturday', addDays(today, 14))

const shortBy = (missingRules: readonly MissingRule[]) =>
  missingRules.find(({ rule }) => rule === 'classes')?.short_by ?? 0

/** One or two classes short, apart from what an instructor can settle on the day. */
export const isNearlyReady = ({ readiness, missing }: ReadyStudent) =>
  readiness === 'short' &&
  [1, 2].includes(shortBy(missing)) &&
  missing.every(({ rule }) => ['classes', 'approval', 'skills', 'fee'].includes(rule))

const NUMBERS = 'no one two three four five six seven eight nine ten'.split(' ')

/**
 * "Hi {name}, two more classes before December 12 and you’re ready for the belt test."
 * `student` is as of that day at the current pace, `today` as of now: the larger number of missing
 * classes is how many are still to come.
 */
export function nearlyReadyText(
  student: ReadyStudent,
  today: ReadyStudent | undefined,
  heldOn: string,
): string {
  const count = Math.max(shortBy(student.missing), shortBy(today?.missing ?? []))
  const classes = `${NUMBERS[count] ?? count} more ${count === 1 ? 'class' : 'classes'}`
  const otherRules = student.missing.filter(({ rule }) => rule !== 'classes' && rule !== 'fee')
  const alsoMissing =
    otherRules.length === 0 ? '' : ` Also missing: ${describeMissing(otherRules)}.`
  return (
    `Hi {name}, ${classes} before ${formatMonthAndDay(heldOn)} and you’re ready for the ` +
    `${beltTest().singular}.${alsoMissing}`
  )
}

/** The suggested invitation. The server fills in `{name}`. */
export function invitationText(
  grading: Pick<GradingSummary, 'held_on' | 'held_at' | 'place' | 'fee' | 'answer_until'>,
): string {
  const { place, fee, answer_until } = grading
  const placeWords = place ? `, ${place}` : ''
  const cost = fee === null || fee === 0 ? '' : ` It costs ${formatMoney(fee)}.`
  const deadline = answer_until ? ` by ${formatMonthAndDay(answer_until)}` : ''
  return (
    `Hi {name}, you’re invited to the ${beltTest().singular} ` +
    `on ${whenWords(grading)}${placeWords}.${cost} ` +
    `Please answer${deadline}: reply COMING or NOT COMING.`
  )
}

type Outcome = Pick<Candidate, 'result' | 'stripes_given'>

export function outcomeOf(candidates: readonly Outcome[]) {
  const promotedCount = candidates.filter(({ result }) => result === 'pass').length
  const stripeCount = candidates.filter(
    ({ result, stripes_given }) => result === 'partial' && (stripes_given ?? 0) > 0,
  ).length
  return {
    promoted: promotedCount,
    striped: stripeCount,
    staying: candidates.length - promotedCount - stripeCount,
  }
}

const countWords = (count: number, singular: string, plural: string) =>
  count > 0 && `${count} ${count === 1 ? singular : plural}`

/** "9 are promoted, 1 gets a stripe, 2 stay." */
export function outcomeWords(candidates: readonly Outcome[]): string {
  const { promoted, striped, staying } = outcomeOf(candidates)
  const words = joinNonEmpty([
    countWords(promoted, 'is promoted', 'are promoted') || 'Nobody is promoted',
    countWords(striped, 'gets a stripe', 'get stripes'),
    countWords(staying, 'stays', 'stay'),
  ])
  return `${words}.`
}

/** "9 were promoted, 1 got a stripe, 2 stayed." */
export function pastOutcomeWords(candidates: readonly Outcome[]): string {
  const { promoted, striped, staying } = outcomeOf(candidates)
  const words = joinNonEmpty([
    countWords(promoted, 'was promoted', 'were promoted') || 'Nobody was promoted',
    countWords(striped, 'got a stripe', 'got stripes'),
    countWords(staying, 'stayed', 'stayed'),
  ])
  return `${words}.`
}

/** "12 candidates, 8 coming, 1 not, 3 without an answer" */
export function answersWords(
  { candidates, yes, no, passed }: GradingSummary['counts'],
  isFinished: boolean,
): string {
  if (candidates === 0) return 'No candidates yet'
  if (isFinished) return `${pluralize(candidates, 'candidate')}, ${passed} passed`
  const unansweredCount = candidates - yes - no
  return joinNonEmpty([
    pluralize(candidates, 'candidate'),
    yes > 0 && `${yes} coming`,
    no > 0 && `${no} not`,
    unansweredCount > 0 && `${unansweredCount} without an answer`,
  ])
}

export const ANSWER_WORDS = { none: 'No answer', yes: 'Coming', no: 'Not coming' } as const
export const RESULT_WORDS = {
  pass: 'Pass',
  partial: 'Partial',
  fail: 'Fail',
  absent: 'Absent',
} as const
const FEE_WORDS = { none: '', due: 'to pay', paid: 'paid', waived: 'fee waived' } as const

/** "$40.00 to pay", "fee waived"; empty without a fee. */
export const feeWords = ({ fee, fee_state }: Pick<Candidate, 'fee' | 'fee_state'>): string =>
  fee_state === 'waived'
    ? FEE_WORDS.waived
    : fee === null || fee === 0 || fee_state === 'none'
      ? ''
      : `${formatMoney(fee)} ${FEE_WORDS[fee_state]}`
