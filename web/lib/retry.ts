const FIRST_DELAY_MS = 2_000
const MAX_DELAY_MS = 30_000

/** Retries with growing delays, but not while the page is hidden. Returns a function that stops. */
export function startRetrying(attempt: () => Promise<unknown>): () => void {
  let delayMs = FIRST_DELAY_MS
  let timer: ReturnType<typeof setTimeout>
  let isRetrying = false
  let shouldRunAgain = false
  let isStopped = false

  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(run, delayMs)
    delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)
  }
  const run = () => {
    clearTimeout(timer)
    shouldRunAgain = isRetrying
    if (isRetrying || document.hidden) return
    isRetrying = true
    void attempt()
      .catch(() => {})
      .finally(() => {
        isRetrying = false
        if (isStopped) return
        if (shouldRunAgain) run()
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
