import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { firstName } from '@tatami/contract/lib/name-parts'
import type { LeavingImpact, PlanOnLeaving } from '@tatami/contract/students/leaving'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

type LeavingStudent = { name: string; email: string | null }
/** The school's word for a belt test, and the name of the next month. */
type Terms = { beltTest: string; nextMonth: string }

const listFormat = new Intl.ListFormat('en')
const formatNames = (people: readonly { name: string }[]) =>
  listFormat.format(people.map(({ name }) => name))

/** Sums what a student owes. The current month counts only if the last day is in it. */
export const sumOwedOnLeaving = (
  { owed, owed_this_month }: LeavingImpact,
  isInThisMonth: boolean,
): number => (isInThisMonth ? sumDollars([owed, owed_this_month]) : owed)

/** "The plan Kids. Its last payment is $30.00 on Nov 27, 2026" */
function describePlanOnLeaving({ name, bound_until, last_payment, credit }: PlanOnLeaving): string {
  const payment =
    last_payment &&
    `Its last payment is ${formatMoney(last_payment.amount)} on ${formatDate(last_payment.due_on)}`
  return joinNonEmpty(
    [
      `The plan ${name}`,
      bound_until && `Its minimum term would run until ${formatDate(bound_until)}`,
      payment,
      credit > 0 && `${formatMoney(credit)} that was paid for it becomes credit`,
    ],
    '. ',
  )
}

/** Lists what ends when a student leaves. */
export function listEndedItems(
  { name, email }: LeavingStudent,
  impact: LeavingImpact,
  { beltTest, nextMonth }: Terms,
): string[] {
  const { classes, plans, places, gradings, has_pin, log_in, sibling_prices } = impact
  return [
    classes.length > 0 && `Classes: ${formatNames(classes)}`,
    ...plans.map(describePlanOnLeaving),
    places > 0 && pluralize(places, 'place or waitlist spot', 'places and waitlist spots'),
    gradings.length > 0 && `${beltTest}: ${formatNames(gradings)}`,
    'Monthly fees, reminders and all other texts',
    impact.autopay === 'ends' &&
      'Autopay. The payer is told. What is still owed has to be paid another way',
    impact.autopay === 'goes_on' &&
      `Autopay for ${firstName(name)}. It continues for the payer’s other students`,
    has_pin && 'Check-in at the kiosk with a PIN',
    log_in === 'ends' && `The login ${email ?? ''}`.trim(),
    log_in === 'stays' && `${firstName(name)}’s own page. The login still works for the children`,
    ...sibling_prices.map(
      (sibling) =>
        `${sibling.name}’s sibling price: ${formatMoney(sibling.after)} instead of ` +
        `${formatMoney(sibling.before)} starting ${nextMonth}`,
    ),
  ].filter((sentence) => typeof sentence === 'string')
}

/** Lists what is kept when a student leaves, except for debts. */
export function listKeptItems(
  { name }: LeavingStudent,
  { guardians, credit }: LeavingImpact,
): string[] {
  return [
    'All history: attendance, belts, payments and texts. Find it under Former',
    guardians.length > 0 &&
      `The ${guardians.length === 1 ? 'login' : 'logins'} of ${formatNames(guardians)}, ` +
        'who will see no other students',
    credit > 0 && `${formatMoney(credit)} credit. You can refund it`,
    `${firstName(name)}’s place in the family. You can re-enroll ${firstName(name)} at any time`,
  ].filter((sentence) => typeof sentence === 'string')
}
