/** One student in one class on one day. */
export type MarkTarget = { student_id: string; class_id: string; day: string }
/** The last value chosen for a target that the server does not have yet; null takes the mark back. A failed one carries its error until the next attempt. */
export type PendingMark = MarkTarget & { present: boolean | null; failure?: { error: unknown }; isSending?: boolean; isRetry?: boolean }

const isSame = (a: MarkTarget, b: MarkTarget) => a.student_id === b.student_id && a.class_id === b.class_id && a.day === b.day

/**
 * Queues the marks that the server does not have yet. Each target has one request at a time, and the next one sends its last
 * value, so the server always ends with the last value chosen.
 */
export function createMarkQueue(send: (mark: PendingMark) => Promise<void>) {
  let pending: readonly PendingMark[] = []
  const listeners = new Set<() => void>()
  const findFor = (target: MarkTarget) => pending.find((mark) => isSame(mark, target))
  const without = (target: MarkTarget) => pending.filter((mark) => !isSame(mark, target))

  function setPending(marks: readonly PendingMark[]) {
    pending = marks
    for (const listener of listeners) listener()
  }
  async function sendLatest(target: MarkTarget): Promise<void> {
    const mark = findFor(target)
    if (!mark) return
    const failure = await send(mark).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (findFor(target) !== mark) return sendLatest(target)
    setPending(failure ? [...without(mark), { ...mark, failure, isSending: false }] : without(mark))
  }
  function enqueue(mark: PendingMark) {
    const previous = findFor(mark)
    setPending([...without(mark), { ...mark, isSending: true }])
    // A request in flight finds the newer mark when it ends.
    if (!previous?.isSending) void sendLatest(mark)
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
