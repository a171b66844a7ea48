import pLimit, { type LimitFunction } from 'p-limit'

/** Limits the tasks that run at the same time for each key. A task that waits longer than
 *  `timeoutMs` fails with `timeoutError` and never runs. */
export function limitPerKey(concurrency: number, timeoutMs: number, timeoutError: () => Error) {
  const limits = new Map<string, LimitFunction>()

  return <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    const limit = limits.get(key) ?? pLimit(concurrency)
    limits.set(key, limit)
    return new Promise<Result>((resolve, reject) => {
      let hasTimedOut = false
      const timer = setTimeout(() => {
        hasTimedOut = true
        reject(timeoutError())
      }, timeoutMs)
      const run = async () => {
        clearTimeout(timer)
        if (!hasTimedOut) await task().then(resolve, reject)
      }
      void limit(run).finally(() => {
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(key)
      })
    })
  }
}
