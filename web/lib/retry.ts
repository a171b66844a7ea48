const FIRST_DELAY_MS = 2_000
const MAX_DELAY_MS = 30_000

/** With growing delays, and never while the page is hidden. The returned function stops it. */
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
