import { ordinal } from '../lib/ordinal.ts'
import {
  containsDay,
  type EntryHistory,
  type EntryMark,
  type EntryUse,
  isPackUsable,
  type LimitedUse,
  replayEntries,
} from './entries.ts'
import { formatMonthAndDay } from './plan-days.ts'

/** What the roll and the kiosk say about one student and one class. */
export type EntryNotice = {
  words: string
  /** No plan and no pack covers this visit. */
  is_over_limit: boolean
  visits_left: number | null
}

/** Null if there is nothing to say: the student has a plan without a limit, or no plan at all.
 *  For a student who is not marked yet, it says what coming would mean. */
export function noticeOfEntry(
  history: EntryHistory,
  entry: EntryMark,
  today: string,
): EntryNotice | null {
  if (history.subscriptions.length === 0 && history.packs.length === 0) return null
  const use = findEntryUse(history, entry)
  if (!use || use.kind === 'unlimited') return null
  const visits_left = countVisitsLeft(history, entry)
  if (use.kind === 'limited')
    return { words: limitWords(use, entry.day, today), is_over_limit: use.is_over, visits_left }
  if (use.kind === 'pack')
    return { words: visitWords(visits_left ?? 0), is_over_limit: false, visits_left }
  const words = use.kind === 'on_hold' ? 'On hold' : uncoveredWords(history, entry, visits_left)
  return words === null ? null : { words, is_over_limit: true, visits_left }
}

function findEntryUse(history: EntryHistory, entry: EntryMark): EntryUse | undefined {
  const markedIndex = history.marks.findIndex((mark) => isSameEntry(mark, entry))
  if (markedIndex >= 0) return replayEntries(history).uses[markedIndex]
  const index = history.marks.filter(({ day }) => day <= entry.day).length
  const marks = history.marks.toSpliced(index, 0, entry)
  return replayEntries({ ...history, marks }).uses[index]
}

function uncoveredWords(
  history: EntryHistory,
  entry: EntryMark,
  visitsLeft: number | null,
): string | null {
  const { subscriptions, pays_monthly_fee } = history
  const { day } = entry
  if (pays_monthly_fee) return null
  if (hasPackForOtherClasses(history, entry)) return 'Not in their class pack'
  if (visitsLeft !== null) return visitWords(visitsLeft)
  const hasPlan = subscriptions.some((subscription) =>
    containsDay({ from: subscription.starts_on, until: subscription.ends_on }, day),
  )
  return hasPlan ? 'Not in their plan' : null
}

/** Whether the student has visits left on this day, but in other classes. */
function hasPackForOtherClasses(history: EntryHistory, entry: EntryMark): boolean {
  const { visitsLeft } = replayEntries(history)
  return history.packs.some(
    (pack) =>
      (visitsLeft.get(pack.id) ?? 0) > 0 &&
      !isPackUsable(pack, history.holds, entry) &&
      isPackUsable({ ...pack, class_ids: null }, history.holds, entry),
  )
}

const isSameEntry = (mark: EntryMark, entry: EntryMark): boolean =>
  mark.class_id === entry.class_id && mark.day === entry.day

/** What is left of the packs that are valid for this class on this day, or null without a pack. */
function countVisitsLeft(history: EntryHistory, entry: EntryMark): number | null {
  if (history.packs.length === 0) return null
  const { visitsLeft } = replayEntries(history)
  return history.packs
    .filter((pack) => isPackUsable(pack, history.holds, entry))
    .reduce((sum, { id }) => sum + (visitsLeft.get(id) ?? 0), 0)
}

/** "4 visits left" */
export function visitWords(visits: number): string {
  if (visits === 0) return 'No visits left'
  return visits === 1 ? '1 visit left' : `${visits} visits left`
}

/** "3rd of 2 this week" */
function limitWords(use: LimitedUse, day: string, today: string): string {
  const { entry_limit, entry_limit_per } = use.subscription
  const count = `${ordinal(use.nth)} of ${entry_limit ?? 0}`
  if (entry_limit_per === 'week') return `${count} this week`
  if (entry_limit_per === 'day') return `${count} ${day === today ? 'today' : 'that day'}`
  return `${count} since ${formatMonthAndDay(use.counts_since)}`
}
