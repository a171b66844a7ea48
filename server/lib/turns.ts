const TURN_MS = 8

/** Lets whoever waits for the event loop go first. */
export const nextTurn = (): Promise<void> =>
  new Promise<void>((resolve) => void setImmediate(resolve))

/** Does the work for each item, and lets other requests in every few milliseconds: thousands of items take a moment. */
export async function eachInTurns<T>(
  items: Iterable<T>,
  work: (item: T, index: number) => void,
): Promise<void> {
  let turnStarted = performance.now()
  let index = 0
  for (const item of items) {
    if (performance.now() - turnStarted > TURN_MS) {
      await nextTurn()
      turnStarted = performance.now()
    }
    work(item, index)
    index += 1
  }
}

/** The results of the work for each item, in their order. */
export async function mapInTurns<T, R>(
  items: Iterable<T>,
  work: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = []
  await eachInTurns(items, (item, index) => void results.push(work(item, index)))
  return results
}
