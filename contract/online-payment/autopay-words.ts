import { formatMoneyInText } from '../lib/money.ts'
import { ordinal } from '../lib/ordinal.ts'
import { firstNames } from '../texting/message-types.ts'

/** Counts up whenever the words below change, so that we know what somebody has agreed to. */
export const WORDING_VERSION = 2
export const WORDING_LANGUAGE = 'en'

/** Days after the first try on which a declined payment is tried again. */
export const RETRY_DAYS = [2, 4, 7] as const
/** How many days before a debit the payer is told about it. */
export const NOTICE_DAYS = 3

export type AutopayTerms = {
  school: string
  students: readonly string[]
  /** What a month usually costs, in dollars. */
  usualAmount: number
  dayOfMonth: number
  /** The most that one payment may take, in dollars. */
  limit: number | null
}

/** What a payer agrees to when they turn on autopay. */
export function autopayWords(terms: AutopayTerms): string {
  const { school, students, usualAmount, dayOfMonth, limit } = terms
  const lastDayNote = dayOfMonth > 28 ? ' (in shorter months, on the last day)' : ''
  const limitNote =
    limit === null
      ? ''
      : ` It never charges more than ${formatMoneyInText(limit)} at once. If I owe more than that, ` +
        'nothing is charged, and I am asked to pay.'
  return [
    `I allow ${school} to charge the card or bank account that I save for what I owe: the fees ` +
      `and other charges of ${firstNames(students)}, and of students I pay for later.`,
    `${school} charges it on the ${ordinal(dayOfMonth)} of each month${lastDayNote} until I stop ` +
      `autopay. Right now, a month is about ${formatMoneyInText(usualAmount)}.${limitNote}`,
    `I get a notice ${NOTICE_DAYS} days before the first payment, and whenever the amount differs ` +
      'from the last one. If a payment is declined, it is tried again after 2, 4 and 7 days.',
    'I can stop autopay at any time: on my home page, with the link in each notice, or by telling ' +
      'the school.',
  ].join('\n\n')
}
