/** One class on one day. */
type Roll = { class_id: string; day: string }
/** One student in one class on one day. */
export type MarkTarget = Roll & { student_id: string }
/** The last value chosen for a target that the server does not have yet; null takes the mark back. A failed one carries its error until the next attempt. */
export type PendingMark = MarkTarget & { present: boolean | null; failure?: { error: unknown }; isSending?: boolean; isRetry?: boolean }

const isSameRoll = (a: Roll, b: Roll) => a.class_id === b.class_id && a.day === b.day
const isSame = (a: MarkTarget, b: MarkTarget) => a.student_id === b.student_id && isSameRoll(a, b)

type Options = {
  /** Saves marks of one roll, all or none. */
  send: (marks: readonly PendingMark[]) => Promise<void>
  /** Whether the server has not looked at the marks. Where it has and refused them together, each is tried by itself. */
  isTransient: (error: unknown) => boolean
}

/**
 * Queues the marks that the server does not have yet. Each roll has one request at a time, and the next one takes along every value
 * chosen meanwhile, so the server always ends with the last value chosen.
 */
export function createMarkQueue({ send, isTransient }: Options) {
  let pending: readonly PendingMark[] = []
  const listeners = new Set<() => void>()
  const busyRolls: Roll[] = []
  const without = (target: MarkTarget) => pending.filter((mark) => !isSame(mark, target))

  function setPending(marks: readonly PendingMark[]) {
    pending = marks
    for (const listener of listeners) listener()
  }
  /** The marks that failed, with the error of each. */
  async function sendTogether(marks: readonly PendingMark[]): Promise<Map<PendingMark, unknown>> {
    try {
      await send(marks)
      return new Map()
    } catch (error) {
      if (marks.length === 1 || isTransient(error)) return new Map(marks.map((mark) => [mark, error]))
      const failures = await Promise.all(marks.map((mark) => sendTogether([mark])))
      return new Map(failures.flatMap((of) => [...of]))
    }
  }
  async function sendRoll(roll: Roll) {
    busyRolls.push(roll)
    // Marks of one action are sent together.
    await Promise.resolve()
    for (;;) {
      const batch = pending.filter((mark) => mark.isSending && isSameRoll(mark, roll))
      if (batch.length === 0) break
      const failures = await sendTogether(batch)
      setPending(
        pending.flatMap((mark) => {
          if (!batch.includes(mark)) return [mark]
          return failures.has(mark) ? [{ ...mark, failure: { error: failures.get(mark) }, isSending: false }] : []
        }),
      )
    }
    busyRolls.splice(busyRolls.indexOf(roll), 1)
  }
  function enqueue(mark: PendingMark) {
    setPending([...without(mark), { ...mark, isSending: true }])
    if (!busyRolls.some((roll) => isSameRoll(roll, mark))) void sendRoll({ class_id: mark.class_id, day: mark.day })
  }
  return {
    mark: ({ student_id, class_id, day }: MarkTarget, present: boolean | null) => enqueue({ student_id, class_id, day, present }),
    retry: ({ failure: _, ...mark }: PendingMark) => enqueue({ ...mark, isRetry: true }),
    /** Retries a failed mark; it still counts as failed until this attempt succeeds. */
    retryInBackground: (mark: PendingMark) => {
      if (!mark.isSending) enqueue({ ...mark, isRetry: true })
    },
    clear: () => setPending([]),
    pending: () => pending,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
