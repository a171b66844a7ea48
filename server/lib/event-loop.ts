const SLICE = 100

const waiting: (() => void)[] = []

/** Lets other requests run. One waiting slice runs per turn of the event loop, however many there
 *  are. */
export const yieldToOthers = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(continueNext)
  })

function continueNext() {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(continueNext)
}

/** Maps a long list without blocking other requests. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
  sliceSize = SLICE,
): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % sliceSize === 0) await yieldToOthers()
    results.push(map(item, index))
  }
  return results
}
