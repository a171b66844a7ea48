/** One student in one class on one day. */
export type Subject = { student_id: string; class_id: string; day: string }
/** What was last tapped for a subject; null takes the mark back. Failed ones carry their error until they are tried again. */
export type Tap = Subject & { present: boolean | null; failure?: { error: unknown }; isUnderWay?: boolean; isRetry?: boolean }

const isSame = (a: Subject, b: Subject) => a.student_id === b.student_id && a.class_id === b.class_id && a.day === b.day

/**
 * Taps that the server does not have yet. Each student's go out one after the other, and only the last one counts: whatever
 * the order of the answers, the server ends with what was tapped last.
 */
export function markQueue(send: (tap: Tap) => Promise<void>) {
  let taps: readonly Tap[] = []
  const watchers = new Set<() => void>()
  const tapOn = (subject: Subject) => taps.find((tap) => isSame(tap, subject))
  const without = (subject: Subject) => taps.filter((tap) => !isSame(tap, subject))

  function keep(next: readonly Tap[]) {
    taps = next
    for (const tell of watchers) tell()
  }
  async function sendLatest(subject: Subject): Promise<void> {
    const tap = tapOn(subject)
    if (!tap) return
    const failure = await send(tap).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (tapOn(subject) !== tap) return sendLatest(subject)
    keep(failure ? [...without(tap), { ...tap, failure, isUnderWay: false }] : without(tap))
  }
  function put(tap: Tap) {
    const earlier = tapOn(tap)
    keep([...without(tap), { ...tap, isUnderWay: true }])
    // One under way finds the newer tap when it is done.
    if (!earlier?.isUnderWay) void sendLatest(tap)
  }
  return {
    mark: ({ student_id, class_id, day }: Subject, present: boolean | null) => put({ student_id, class_id, day, present }),
    retry: ({ failure: _, ...tap }: Tap) => put({ ...tap, isRetry: true }),
    /** Without a word: until it is known that this try worked, the tap still counts as failed. */
    retryQuietly: (tap: Tap) => {
      if (!tap.isUnderWay) put({ ...tap, isRetry: true })
    },
    clear: () => keep([]),
    taps: () => taps,
    watch: (tell: () => void) => {
      watchers.add(tell)
      return () => void watchers.delete(tell)
    },
  }
}
