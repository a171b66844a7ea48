/** Which mark used which plan or pack. Everything is calculated from what was bought and from the
 *  marks, so a mark that is removed, or whose class is canceled, gives its visit back. */

import { addDays, daysSinceSunday } from '../lib/calendar-day.ts'
import { type DayRange, endAfterHolds } from './billed-holds.ts'
import { daysOfPeriod, indexOfPeriod, type PeriodTerms } from './period-days.ts'

export type EntryLimitUnit = 'day' | 'week' | 'cycle'
export type WeekBeginning = 'monday' | 'sunday'

export type EntrySubscription = PeriodTerms & {
  id: string
  /** The last day, after holds have moved it. */
  ends_on: string | null
  /** The only classes of the plan. Null means all. */
  class_ids: readonly string[] | null
  entry_limit: number | null
  entry_limit_per: EntryLimitUnit | null
}

export type EntryPack = {
  id: string
  bought_on: string
  /** The last day, before holds move it. Null if the pack does not expire. */
  expires_on: string | null
  visits: number
  class_ids: readonly string[] | null
}

/** `subscription_id` is null if the hold is for all plans, and so for packs. */
export type EntryHold = { subscription_id: string | null; from: string; until: string | null }

/** A mark as present. A class that was deleted has no id. */
export type EntryMark = { class_id: string | null; day: string }

export type EntryHistory = {
  week_begins_on: WeekBeginning
  /** True for a student who has no plan but pays a monthly fee, which is for all classes. Visits
   *  of a pack are used all the same, because nobody knows since when the fee is paid. */
  pays_monthly_fee: boolean
  subscriptions: readonly EntrySubscription[]
  packs: readonly EntryPack[]
  holds: readonly EntryHold[]
  /** In the order in which the student came. */
  marks: readonly EntryMark[]
}

export type LimitedUse = {
  kind: 'limited'
  subscription: EntrySubscription
  /** Which visit of the day, week or cycle this is. */
  nth: number
  /** The first day of that day, week or cycle. */
  counts_since: string
  is_over: boolean
}
export type EntryUse =
  | LimitedUse
  | { kind: 'unlimited'; subscription: EntrySubscription }
  | { kind: 'pack'; pack: EntryPack }
  | { kind: 'on_hold' }
  | { kind: 'uncovered' }

export type EntryReplay = {
  /** What each mark used, in the order of the marks. */
  uses: EntryUse[]
  /** What is left of each pack, by id. */
  visitsLeft: Map<string, number>
}

export const containsDay = (
  { from, until }: { from: string; until: string | null },
  day: string,
): boolean => from <= day && (until === null || day <= until)

export const isOnHold = (
  holds: readonly EntryHold[],
  day: string,
  subscriptionId: string | null,
): boolean =>
  holds.some(
    (hold) =>
      (hold.subscription_id === null || hold.subscription_id === subscriptionId) &&
      containsDay(hold, day),
  )

const isForClass = (
  { class_ids }: { class_ids: readonly string[] | null },
  classId: string | null,
): boolean => class_ids === null || (classId !== null && class_ids.includes(classId))

/** The last day of a pack after holds have paused it. Null if it does not expire, or not yet. */
export const pausedExpiry = (
  { bought_on, expires_on }: Pick<EntryPack, 'bought_on' | 'expires_on'>,
  holds: readonly EntryHold[],
): string | null =>
  endAfterHolds({
    starts_on: bought_on,
    ends_on: expires_on,
    holds: holds
      .filter(({ subscription_id }) => subscription_id === null)
      .map((hold) => ({ ...hold, billing: 'free', fee_cents: 0, moves_end: true })),
  })

export const isPackUsable = (
  pack: EntryPack,
  holds: readonly EntryHold[],
  { class_id, day }: EntryMark,
): boolean =>
  isForClass(pack, class_id) &&
  !isOnHold(holds, day, null) &&
  containsDay({ from: pack.bought_on, until: pausedExpiry(pack, holds) }, day)

/** The plans that let the student into a class on a day, apart from their limits. */
export const subscriptionsFor = (
  { subscriptions, holds }: EntryHistory,
  { class_id, day }: EntryMark,
): EntrySubscription[] =>
  subscriptions.filter(
    (subscription) =>
      isForClass(subscription, class_id) &&
      containsDay({ from: subscription.starts_on, until: subscription.ends_on }, day) &&
      !isOnHold(holds, day, subscription.id),
  )

/** The first day of the day, week or cycle for which a plan counts visits. */
export function limitBeginsOn(
  subscription: EntrySubscription,
  day: string,
  weekBeginsOn: WeekBeginning,
): string {
  if (subscription.entry_limit_per === 'week') {
    const sundayCount = daysSinceSunday(day)
    return addDays(day, -(weekBeginsOn === 'sunday' ? sundayCount : (sundayCount + 6) % 7))
  }
  if (subscription.entry_limit_per === 'day') return day
  return cycleOn(subscription, day).from
}

const cycleOn = (subscription: EntrySubscription, day: string): DayRange =>
  daysOfPeriod(subscription, indexOfPeriod(subscription, day), null).range

/** The first day whose marks matter for a day: marks of a pack, and of the limits it shares. */
export function firstDayToReplay(history: Omit<EntryHistory, 'marks'>, day: string): string {
  const days = [day, ...history.packs.map(({ bought_on }) => bought_on)]
  const limitedSubscriptions = history.subscriptions.filter(
    ({ entry_limit }) => entry_limit !== null,
  )
  const windowStarts = days.flatMap((dayOfUse) =>
    limitedSubscriptions.map((subscription) =>
      limitBeginsOn(subscription, dayOfUse, history.week_begins_on),
    ),
  )
  return [...days, ...windowStarts].reduce((earliestDay, candidate) =>
    candidate < earliestDay ? candidate : earliestDay,
  )
}

/** Replays all marks:
 *  1. A plan without a limit lets the student in.
 *  2. Otherwise a limited plan does. Marks that only one plan allows count before marks that
 *     several allow, so that nobody is over the limit of one plan while another has room.
 *  3. What remains uses the pack that expires first.
 *  4. What then remains is over a limit, on hold, or not covered by anything. */
export function replayEntries(history: EntryHistory): EntryReplay {
  const marks = history.marks.map((mark) => ({ mark, plans: subscriptionsFor(history, mark) }))
  const uses: (EntryUse | null)[] = marks.map(({ plans }) => unlimitedUse(plans))
  const limits = new LimitCounts(history.week_begins_on)
  const singlePlanFirst = [...marks.keys()].toSorted(
    (a, b) => Number((marks[a]?.plans.length ?? 0) > 1) - Number((marks[b]?.plans.length ?? 0) > 1),
  )
  for (const index of singlePlanFirst) {
    const entry = marks[index]
    if (entry) uses[index] ??= limits.useRoom(entry.plans, entry.mark.day)
  }
  const visitsLeft = new Map(history.packs.map(({ id, visits }) => [id, visits]))
  const packs = history.packs.toSorted(compareExpiry(history.holds))
  for (const [index, { mark, plans }] of marks.entries())
    uses[index] ??=
      takePackVisit(packs, history.holds, visitsLeft, mark) ??
      limits.exceed(plans, mark.day) ??
      uncoveredUse(history, mark)
  return { uses: uses.filter((use) => use !== null), visitsLeft }
}

function unlimitedUse(plans: readonly EntrySubscription[]): EntryUse | null {
  const subscription = plans.find(({ entry_limit }) => entry_limit === null)
  return subscription ? { kind: 'unlimited', subscription } : null
}

/** Counts the visits of each limited plan in each day, week or cycle. */
class LimitCounts {
  readonly #counts = new Map<string, number>()
  readonly #weekBeginsOn: WeekBeginning

  constructor(weekBeginsOn: WeekBeginning) {
    this.#weekBeginsOn = weekBeginsOn
  }

  /** Counts a visit in the first plan that has room. */
  useRoom(plans: readonly EntrySubscription[], day: string): LimitedUse | null {
    const subscription = plans.find(
      (plan) => this.#countOf(plan, this.#windowOf(plan, day)) < (plan.entry_limit ?? 0),
    )
    return subscription ? this.#count(subscription, day) : null
  }

  /** Counts a visit beyond the limit. */
  exceed([subscription]: readonly EntrySubscription[], day: string): LimitedUse | null {
    return subscription ? this.#count(subscription, day) : null
  }

  #windowOf(plan: EntrySubscription, day: string): string {
    return limitBeginsOn(plan, day, this.#weekBeginsOn)
  }

  #countOf({ id }: EntrySubscription, firstDay: string): number {
    return this.#counts.get(`${id} ${firstDay}`) ?? 0
  }

  #count(subscription: EntrySubscription, day: string): LimitedUse {
    const firstDay = this.#windowOf(subscription, day)
    const nth = this.#countOf(subscription, firstDay) + 1
    this.#counts.set(`${subscription.id} ${firstDay}`, nth)
    const is_over = nth > (subscription.entry_limit ?? Infinity)
    return { kind: 'limited', subscription, nth, counts_since: firstDay, is_over }
  }
}

/** Packs that do not expire come last. */
const compareExpiry = (holds: readonly EntryHold[]) => (a: EntryPack, b: EntryPack) =>
  compareTexts(pausedExpiry(a, holds) ?? '9999-12-31', pausedExpiry(b, holds) ?? '9999-12-31') ||
  compareTexts(a.bought_on, b.bought_on) ||
  compareTexts(a.id, b.id)

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function takePackVisit(
  packs: readonly EntryPack[],
  holds: readonly EntryHold[],
  visitsLeft: Map<string, number>,
  mark: EntryMark,
): EntryUse | null {
  const pack = packs.find(
    (candidate) => (visitsLeft.get(candidate.id) ?? 0) > 0 && isPackUsable(candidate, holds, mark),
  )
  if (!pack) return null
  visitsLeft.set(pack.id, (visitsLeft.get(pack.id) ?? 0) - 1)
  return { kind: 'pack', pack }
}

/** True if nothing but a hold keeps the student's plans and packs from covering the mark. */
function uncoveredUse(history: EntryHistory, mark: EntryMark): EntryUse {
  const isHeld = history.holds.some((hold) => containsDay(hold, mark.day))
  if (!isHeld) return { kind: 'uncovered' }
  const withoutHolds = { ...history, holds: [] }
  const isCoveredOtherwise =
    subscriptionsFor(withoutHolds, mark).length > 0 ||
    history.packs.some((pack) => isPackUsable(pack, [], mark))
  return { kind: isCoveredOtherwise ? 'on_hold' : 'uncovered' }
}
