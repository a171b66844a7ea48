/** What payers and staff are told about plans, in words. */

import { formatShortMoney } from '../lib/money.ts'
import { formatDayFrom, formatFullDay } from './plan-days.ts'

export type PlanNotice = { title: string; message: string }

/** With family discounts and added tax, in dollars. */
type Payment = { due_on: string; amount: number }

const paymentWords = ({ due_on, amount }: Payment, today: string): string =>
  `${formatShortMoney(amount)} on ${formatDayFrom(due_on, today)}`

/** Seven days before a hold ends. */
export const holdEndNotice = (
  { name, lastDay, payment }: { name: string; lastDay: string; payment: Payment | null },
  today: string,
): PlanNotice => {
  const lastDayWords = `The last day on hold is ${formatDayFrom(lastDay, today)}.`
  return {
    title: `${name}’s hold ends soon`,
    message: payment
      ? `${lastDayWords} The next payment is ${paymentWords(payment, today)}.`
      : lastDayWords,
  }
}

/** Every 30 days, to staff. */
export const openHoldQuestion = (
  { name, firstDay }: { name: string; firstDay: string },
  today: string,
): PlanNotice => ({
  title: `Is ${name} still on hold?`,
  message:
    `${name} has been on hold since ${formatDayFrom(firstDay, today)}, without a last day. ` +
    'You can end the hold on the student’s page.',
})

type Renewal = { name: string; plan_name: string; renewsOn: string; months: number }

/** Before a new term starts. */
export function renewalNotice({ name, plan_name, renewsOn, months }: Renewal): PlanNotice {
  const length = months === 1 ? '1 month' : `${months} months`
  return {
    title: `${plan_name} renews soon`,
    message:
      `${name}’s plan ${plan_name} renews on ${formatFullDay(renewsOn)} for ${length}. ` +
      'If you don’t want that, you can end it before then.',
  }
}

/** Once a year, for a plan that continues until somebody ends it. */
export const anniversaryNotice = ({
  name,
  plan_name,
  price,
}: {
  name: string
  plan_name: string
  price: string
}): PlanNotice => ({
  title: `${plan_name} continues`,
  message:
    `${name}’s plan ${plan_name} continues at ${price}. You can end it at any time on your home ` +
    'screen.',
})

type PriceChange = {
  name: string
  plan_name: string
  effectiveOn: string
  /** Such as "$96 a month". */
  priceBefore: string
  priceAfter: string
}

const newPriceTitle = ({ plan_name }: PriceChange) => `New price for ${plan_name}`
const newPriceSentence = ({ name, plan_name, effectiveOn, priceBefore, priceAfter }: PriceChange) =>
  `From the first payment on or after ${formatFullDay(effectiveOn)}, ${name}’s plan ${plan_name} ` +
  `costs ${priceAfter} instead of ${priceBefore}.`

export const priceNotice = (change: PriceChange): PlanNotice => ({
  title: newPriceTitle(change),
  message:
    `${newPriceSentence(change)} If you ask to end it before then, you keep the old price to the ` +
    'end.',
})

/** For one member, whose own price staff have raised. */
export const ownPriceNotice = (change: PriceChange): PlanNotice => ({
  title: newPriceTitle(change),
  message: newPriceSentence(change),
})

/** After an announced price was replaced before it began. */
export const keptPriceNotice = ({
  name,
  plan_name,
  price,
}: Pick<PriceChange, 'name' | 'plan_name'> & { price: string }): PlanNotice => ({
  title: `The price of ${plan_name} stays`,
  message:
    `${name}’s plan ${plan_name} continues at ${price}. ` +
    'An earlier notice of a new price no longer applies.',
})

/** How a sentence to staff begins. Payers and members read "You pay" instead. */
export const STUDENT_PAYS = 'The student pays'
const addressReader = (sentence: string): string =>
  sentence.startsWith(STUDENT_PAYS) ? `You pay${sentence.slice(STUDENT_PAYS.length)}` : sentence

type EndedPlan = {
  name: string
  plan_name: string
  /** What whoever ended the plan has read: the last day and the last sum. */
  sentences: readonly string[]
  /** Null if the plan ended as if it had never started. */
  lastDay: string | null
}

/** Confirms an end, whoever asked for it and how. */
export const endNotice = (
  { name, plan_name, sentences, lastDay }: EndedPlan,
  today: string,
): PlanNotice & { messageWithoutSums: string } => {
  const ending = `${name}’s plan ${plan_name} ends.`
  return {
    title: `${plan_name} ends`,
    message: [ending, ...sentences].join(' '),
    messageWithoutSums:
      lastDay === null ? ending : `${ending} The last day is ${formatDayFrom(lastDay, today)}.`,
  }
}

export const keptPlanNotice = ({
  name,
  plan_name,
}: {
  name: string
  plan_name: string
}): PlanNotice => ({
  title: `${plan_name} continues`,
  message: `${name}’s plan ${plan_name} continues. It no longer ends.`,
})

type ChangedPlan = {
  name: string
  /** The new plan, and the day on which it starts. */
  plan_name: string
  firstDay: string
  sentences: readonly string[]
}

export const changedPlanNotice = (
  { name, plan_name, firstDay, sentences }: ChangedPlan,
  today: string,
): PlanNotice & { messageWithoutSums: string } => ({
  title: `New plan: ${plan_name}`,
  message: [`${name} has a new plan.`, ...sentences.map(addressReader)].join(' '),
  messageWithoutSums: `${name} has a new plan. ${plan_name} starts on ${formatDayFrom(firstDay, today)}.`,
})

export const undoneChangeNotice = ({
  name,
  plan_name,
  undone_plan_name,
}: {
  name: string
  plan_name: string
  undone_plan_name: string
}): PlanNotice => ({
  title: `${plan_name} continues`,
  message: `${name}’s plan ${plan_name} continues. The change to ${undone_plan_name} was taken back.`,
})
