import type { MarkValue } from '@tatami/contract/attendance'

/** One class on one day. */
type Roll = { class_id: string; day: string }
/** One student in one class on one day. */
export type MarkTarget = Roll & { student_id: string }

/** What stands at the server; `isCheckIn` where the student has checked in at a kiosk. */
export type Standing = { present: MarkValue; isCheckIn?: boolean }

/** The last value tapped for a target that the server does not have yet; null takes the mark back. Ids and no names: it outlives a session. */
export type StoredMark = MarkTarget & {
  present: MarkValue
  /** What the server may have without anybody else having marked: what was seen at the tap, and own taps that may have arrived. */
  replaces: MarkValue[]
  /** Whether it was sent: without an answer it may have arrived. */
  isAttempted: boolean
  /** Of the rest of a class at once: where somebody else marked meanwhile, theirs stands, and nobody is asked. */
  yields: boolean
  /** Tells a later tap on the same target apart from the one that is being sent. */
  tap: string
  /** What somebody else marked meanwhile; the next tap decides. It is not sent until then. */
  elsewhere?: Standing
  /** Why the server refused it. It is not sent again by itself. */
  refusal?: string
}
/** `hasFailed`: its last attempt did not reach the server or failed there, `failure` says why in the server's words. Each until the next attempt. */
export type PendingMark = StoredMark & Attempt
type Attempt = { isSending?: boolean; hasFailed?: boolean; failure?: string | undefined }

export type Tap = MarkTarget & {
  present: MarkValue
  /** The server's value as the screen showed it. */
  seen: MarkValue
  yields?: boolean
}

/** Where marks outlive the page, one for each target. */
export type MarkStore = {
  /** What is stored, by other pages as well. */
  load: () => Promise<StoredMark[]>
  /**
   * Puts what `to` makes of the stored mark of each target in its place, undefined removes it; all at once, whatever other pages do.
   * Resolves when it is on the disk.
   */
  change: (
    targets: readonly MarkTarget[],
    to: (stored: StoredMark | undefined, index: number) => StoredMark | undefined,
  ) => Promise<void>
}

type Options = {
  store: MarkStore
  /** Sends marks of one roll, all or none: one by the call for a single mark. Resolves to what stands afterwards, in their order. */
  send: (marks: readonly StoredMark[]) => Promise<Standing[]>
  /** Resolves once the server answers. Asked before what failed is sent again, so that what never left the device does not count as sent. */
  reach: () => Promise<unknown>
  /** Whether to expect an answer. */
  isOnline: () => boolean
  /** Why the server will never take the marks; undefined where they are to be sent again. */
  refusalOf: (error: unknown) => string | undefined
  /** Why the server could not take the marks now, although it answered; undefined where no answer came. */
  failureOf: (error: unknown) => string | undefined
  newTap: () => string
  /** Runs `work` while no other page of the account does. */
  exclusively?: <T>(work: () => Promise<T>) => Promise<T>
}

const isSameRoll = (a: Roll, b: Roll) => a.class_id === b.class_id && a.day === b.day
const isSame = (a: MarkTarget, b: MarkTarget) => a.student_id === b.student_id && isSameRoll(a, b)
/** Whether it goes out by itself. */
export const isSendable = ({ refusal, elsewhere }: StoredMark) =>
  refusal === undefined && elsewhere === undefined
/** Whether it is sent again by itself: its last attempt failed. */
export const isRetried = (mark: PendingMark) => isSendable(mark) && mark.hasFailed === true
/** Whether it waits for the network: no answer came. */
export const isWaiting = (mark: PendingMark) => isRetried(mark) && mark.failure === undefined
/** Why the server does not have the mark although it answered; undefined where it was not asked, or no answer came. */
export const notSavedReason = (mark: PendingMark): string | undefined =>
  mark.refusal ?? (isRetried(mark) ? mark.failure : undefined)
const distinct = (values: MarkValue[]) => [...new Set(values)]

/** What a tap may replace, where another on the same target waits. */
const replaceableAfter = ({ elsewhere, replaces, isAttempted, present }: StoredMark): MarkValue[] =>
  elsewhere ? [elsewhere.present] : isAttempted ? distinct([...replaces, present]) : replaces

/** The stored mark after a tap; undefined where it takes back one that never left the device. */
function afterTap(
  stored: StoredMark | undefined,
  { seen, yields = false, ...tapped }: Tap,
  tap: string,
): StoredMark | undefined {
  const replaces = stored ? replaceableAfter(stored) : [seen]
  const hasDecided = stored?.elsewhere !== undefined
  if (
    stored &&
    !stored.isAttempted &&
    !hasDecided &&
    replaces.every((value) => value === tapped.present)
  )
    return undefined
  return { ...tapped, replaces, isAttempted: false, yields, tap }
}

/** The stored mark once the server has answered for `sent`; undefined where what stands settles it. */
function afterAnswer(
  stored: StoredMark | undefined,
  sent: StoredMark,
  standing: Standing,
): StoredMark | undefined {
  if (!stored) return undefined
  const { present: now } = standing
  // Tapped again meanwhile.
  if (stored.tap !== sent.tap) return now === sent.present ? { ...stored, replaces: [now] } : stored
  if (now === sent.present || sent.yields) return undefined
  // An own tap of before arrived only now.
  return sent.replaces.includes(now) ? stored : { ...stored, elsewhere: standing }
}

/**
 * The marks that the server does not have yet: stored before they are shown, sent roll by roll, each until the server has answered for it.
 * A roll has one request at a time, and the next takes along every value tapped meanwhile, so the server ends with the last one. Where
 * somebody else has marked meanwhile, both values stay until a tap decides. It knows no screen, no network and no database.
 */
export function createMarkQueue({
  store,
  send,
  reach,
  isOnline,
  refusalOf,
  failureOf,
  newTap,
  exclusively = (work) => work(),
}: Options) {
  let pending: readonly PendingMark[] = []
  let isClosed = false
  const listeners = new Set<() => void>()
  const busyRolls: Roll[] = []

  function publish(marks: readonly PendingMark[]) {
    pending = isClosed ? [] : marks
    for (const listener of listeners) listener()
  }
  /** Shows what is stored; what is known of the attempts at the same taps stays. */
  async function reload() {
    const stored = await store.load()
    publish(
      stored.map((mark) => {
        const shown = pending.find(({ tap }) => tap === mark.tap)
        return {
          ...mark,
          ...(shown?.isSending && { isSending: true }),
          ...(shown?.hasFailed && { hasFailed: true }),
          ...(shown?.failure !== undefined && { failure: shown.failure }),
        }
      }),
    )
  }
  const flag = (taps: readonly StoredMark[], flags: Attempt) =>
    publish(
      pending.map((mark) =>
        taps.some(({ tap }) => tap === mark.tap) ? { ...mark, ...flags } : mark,
      ),
    )
  async function change(marks: readonly MarkTarget[], to: Parameters<MarkStore['change']>[1]) {
    await store.change(marks, to)
    await reload()
  }

  /** Marks that are refused together are sent one by one. Throws what is no refusal. */
  async function sendTogether(batch: readonly StoredMark[]): Promise<void> {
    try {
      const standing = await send(batch)
      await change(batch, (stored, index) => afterAnswer(stored, batch[index]!, standing[index]!))
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) throw error
      if (batch.length === 1)
        await change(batch, (stored) =>
          stored?.tap === batch[0]!.tap ? { ...stored, refusal } : stored,
        )
      else for (const mark of batch) await sendTogether([mark])
    }
  }
  /** Notes of each that it was sent, before it is; without those that another tap has replaced meanwhile, or taken back. */
  async function attempt(batch: readonly StoredMark[]): Promise<StoredMark[]> {
    const unsent = batch.filter(({ isAttempted }) => !isAttempted)
    const replaced = new Set<StoredMark>()
    if (unsent.length > 0)
      await store.change(unsent, (stored, index) => {
        const mark = unsent[index]!
        if (stored?.tap === mark.tap) return { ...stored, isAttempted: true }
        replaced.add(mark)
        return stored
      })
    return batch.filter((mark) => !replaced.has(mark))
  }
  /** Returns false where nothing is left to send, or there was no answer. */
  async function sendNext(roll: Roll, isRetry: boolean): Promise<boolean> {
    if (isClosed) return false
    await reload()
    const batch = pending.filter((mark) => isSameRoll(mark, roll) && isSendable(mark))
    if (batch.length === 0 || (!isRetry && batch.every(({ hasFailed }) => hasFailed))) return false
    flag(batch, { isSending: true })
    let isDone = false
    let failure: string | undefined
    try {
      if (!isOnline() || batch.some(({ hasFailed }) => hasFailed)) await reach()
      const current = await attempt(batch)
      if (current.length > 0) await sendTogether(current)
      isDone = true
    } catch (error) {
      failure = failureOf(error)
    }
    flag(batch, { isSending: false, hasFailed: !isDone, failure })
    // What was tapped while the answer was missing has its own attempt.
    return (
      isDone ||
      pending.some((mark) => isSameRoll(mark, roll) && isSendable(mark) && !mark.hasFailed)
    )
  }
  async function sendRoll(roll: Roll, isRetry = false): Promise<void> {
    if (busyRolls.some((busy) => isSameRoll(busy, roll))) return
    busyRolls.push(roll)
    let isFirst = true
    try {
      while (await exclusively(() => sendNext(roll, isRetry && isFirst))) isFirst = false
    } finally {
      busyRolls.splice(busyRolls.indexOf(roll), 1)
    }
  }
  const rollsOf = (marks: readonly PendingMark[]): Roll[] =>
    marks.filter((mark, index) => marks.findIndex((other) => isSameRoll(other, mark)) === index)

  return {
    /** Stores the taps of one action, then shows them, then sends them. Resolves when they are stored. */
    mark: async (taps: readonly Tap[]) => {
      if (taps.length === 0) return
      await change(taps, (stored, index) => afterTap(stored, taps[index]!, newTap()))
      for (const roll of rollsOf(pending.filter((mark) => taps.some((tap) => isSame(tap, mark)))))
        void sendRoll(roll)
    },
    /** Sends all that waits, also what failed. */
    sendAll: () =>
      Promise.all(rollsOf(pending.filter(isSendable)).map((roll) => sendRoll(roll, true))),
    /** Sends a mark that was not saved once more. */
    retry: async (mark: PendingMark) => {
      await change([mark], (stored) => {
        const { refusal: _, ...again } = stored ?? mark
        return stored && again
      })
      await sendRoll(mark, true)
    },
    /** Forgets marks that the server refused. */
    discard: (marks: readonly PendingMark[]) =>
      change(marks, (stored) => (stored?.refusal === undefined ? stored : undefined)),
    /** Takes over what another page has stored. */
    reload,
    /** Shows and sends nothing more; what is stored stays. */
    close: () => {
      isClosed = true
      publish([])
    },
    pending: () => pending,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
