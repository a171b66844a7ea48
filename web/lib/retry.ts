const FIRST_DELAY_MS = 2_000
const MAX_DELAY_MS = 30_000

/**
 * Calls `attempt` after two seconds and then with growing delays, and immediately when the browser
 * is back online or the page becomes visible, but never while the page is hidden. Returns a
 * function that stops it.
 */
export function startRetrying(attempt: () => Promise<unknown>): () => void {
  let delayMs = FIRST_DELAY_MS
  let timer: ReturnType<typeof setTimeout>
  let isTrying = false
  let runAgain = false
  let isStopped = false

  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(run, delayMs)
    delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)
  }
  const run = () => {
    clearTimeout(timer)
    runAgain = isTrying
    if (isTrying || document.hidden) return
    isTrying = true
    void attempt()
      .catch(() => {})
      .finally(() => {
        isTrying = false
        if (isStopped) return
        if (runAgain) run()
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
