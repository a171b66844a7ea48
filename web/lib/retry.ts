const FIRST_MS = 2_000
const LONGEST_MS = 30_000

/**
 * Calls `attempt` until it is told to stop: after two seconds, then later each time, and at once when the browser is online again
 * or the reader comes back to the page. One attempt at a time, and none while nobody looks.
 */
export function startRetrying(attempt: () => Promise<unknown>): () => void {
  let waitMs = FIRST_MS
  let timer: ReturnType<typeof setTimeout>
  let isTrying = false
  let isWanted = false
  let isStopped = false

  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(run, waitMs)
    waitMs = Math.min(2 * waitMs, LONGEST_MS)
  }
  const run = () => {
    clearTimeout(timer)
    isWanted = isTrying
    if (isTrying || document.hidden) return
    isTrying = true
    void attempt()
      .catch(() => {})
      .finally(() => {
        isTrying = false
        if (isStopped) return
        if (isWanted) run()
        else wait()
      })
  }

  wait()
  window.addEventListener('online', run)
  document.addEventListener('visibilitychange', run)
  return () => {
    isStopped = true
    clearTimeout(timer)
    window.removeEventListener('online', run)
    document.removeEventListener('visibilitychange', run)
  }
}
