import type { GradingResult } from '@tatami/contract/gradings'

export type NotedResult = {
  grading_id: string
  student_id: string
  result: GradingResult | null
  stripes_given: number | null
}
/** The last result noted for a candidate that the server does not have yet; a null `result` takes the one before back. */
export type PendingResult = NotedResult & {
  /** Tells a later tap on the same candidate apart from the one that is being sent. */
  tap: number
  /** Why the server refused it. It is not sent again. */
  refusal?: string
  /** Why the server could not save it at the last attempt, although it answered. */
  failure?: string
}

type Options = {
  /** The stored results, of other tabs as well. */
  load: () => readonly PendingResult[]
  /** Returns false where they could not be stored. */
  store: (pending: readonly PendingResult[]) => boolean
  /** Saves results of one grading, all or none. */
  send: (gradingId: string, results: readonly PendingResult[]) => Promise<void>
  /** Why the server refused them; undefined where they are to be sent again later. */
  refusalOf: (error: unknown) => string | undefined
  /** Why the server could not take them now, although it answered; undefined where no answer came. */
  failureOf: (error: unknown) => string | undefined
}

const isSame = (a: NotedResult, b: NotedResult) =>
  a.grading_id === b.grading_id && a.student_id === b.student_id
const isUnchanged = (a: PendingResult, b: PendingResult) => isSame(a, b) && a.tap === b.tap

/**
 * Stores results before they are shown, and sends them. Each grading has one request at a time; the next one takes along everything
 * noted meanwhile, so that the server ends with the last result noted for each candidate.
 */
export function createResultQueue({ load, store, send, refusalOf, failureOf }: Options) {
  let pending = load()
  let isStored = true
  const listeners = new Set<() => void>()
  const busy = new Set<string>()

  function show(results: readonly PendingResult[]) {
    pending = results
    for (const listener of listeners) listener()
  }
  /** Changes what is stored now: another tab may have stored more. What could not be stored is in memory alone. */
  function change(how: (results: readonly PendingResult[]) => readonly PendingResult[]) {
    const results = how(isStored ? load() : pending)
    isStored = store(results)
    show(results)
  }
  const withoutSent = (sent: readonly PendingResult[]) =>
    change((all) => all.filter((one) => !sent.some((other) => isUnchanged(one, other))))
  const noteFailure = (sent: readonly PendingResult[], failure: string | undefined) =>
    change((all) =>
      all.map((result) => {
        if (!sent.some((other) => isUnchanged(result, other))) return result
        const { failure: _, ...withoutFailure } = result
        return failure === undefined ? withoutFailure : { ...result, failure }
      }),
    )
  const refuse = (refused: PendingResult, refusal: string) =>
    change((all) => all.map((one) => (isUnchanged(one, refused) ? { ...one, refusal } : one)))

  /** Returns false where the server cannot be reached. Results that it refused together are sent one by one. */
  async function sendTogether(
    gradingId: string,
    results: readonly PendingResult[],
  ): Promise<boolean> {
    try {
      await send(gradingId, results)
      withoutSent(results)
      return true
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) {
        noteFailure(results, failureOf(error))
        return false
      }
      const [first] = results
      if (results.length === 1) refuse(first!, refusal)
      else for (const one of results) if (!(await sendTogether(gradingId, [one]))) return false
      return true
    }
  }
  async function sendGrading(gradingId: string) {
    if (busy.has(gradingId)) return
    busy.add(gradingId)
    const unsent = () =>
      pending.filter((one) => one.grading_id === gradingId && one.refusal === undefined)
    while (unsent().length > 0 && (await sendTogether(gradingId, unsent())));
    busy.delete(gradingId)
  }
  const sendAll = () =>
    Promise.all([...new Set(pending.map(({ grading_id }) => grading_id))].map(sendGrading))

  return {
    note: (result: NotedResult) => {
      const last = Math.max(0, ...pending.map(({ tap }) => tap))
      change((all) => [...all.filter((one) => !isSame(one, result)), { ...result, tap: last + 1 }])
      return sendGrading(result.grading_id)
    },
    /** Forgets a refused result. */
    drop: (refused: PendingResult) => withoutSent([refused]),
    sendAll,
    /** Takes over what another tab has stored. */
    reload: () => show(load()),
    pending: () => pending,
    /** False while results are in the memory of this page alone. */
    isStored: () => isStored,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
