const SLICE_SIZE = 100

const waitingTasks: (() => void)[] = []

/** Each turn of the event loop continues only one of the tasks that wait here. */
export const yieldToOthers = (): Promise<void> =>
  new Promise((resolve) => {
    waitingTasks.push(resolve)
    if (waitingTasks.length === 1) setImmediate(continueNextTask)
  })

function continueNextTask() {
  waitingTasks.shift()?.()
  if (waitingTasks.length > 0) setImmediate(continueNextTask)
}

export async function mapInSlices<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
  sliceSize = SLICE_SIZE,
): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % sliceSize === 0) await yieldToOthers()
    results.push(map(item, index))
  }
  return results
}
