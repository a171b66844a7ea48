const SLICE_SIZE = 100

const waitingTasks: (() => void)[] = []

/** Lets other work run before the caller continues. Each turn of the event loop continues only one
 *  of the waiting callers. */
export const yieldToOthers = (): Promise<void> =>
  new Promise((resolve) => {
    waitingTasks.push(resolve)
    if (waitingTasks.length === 1) setImmediate(continueNextTask)
  })

function continueNextTask() {
  waitingTasks.shift()?.()
  if (waitingTasks.length > 0) setImmediate(continueNextTask)
}

/** Like `map`, but lets other work run after each slice. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
  sliceSize = SLICE_SIZE,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % sliceSize === 0) await yieldToOthers()
    results.push(map(item, index))
  }
  return results
}
