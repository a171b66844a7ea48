import { useEffect, useRef, useState } from 'react'

const SHOWN_MS = 5000

/** How a sending ended, in a heading and a sentence. */
export type Result = { ok: boolean; title: string; text: string }

/** A result that is shown for five seconds (specification, section 4); the next one begins them anew. */
export function useResult() {
  const [result, show] = useState<Result | null>(null)
  useEffect(() => {
    const over = result && setTimeout(() => show(null), SHOWN_MS)
    return () => clearTimeout(over ?? undefined)
  }, [result])
  return { result, show }
}

/** The same for several kinds of message: each keeps its own result for its own five seconds. */
export function useResults<Kind extends string>() {
  const [results, setResults] = useState<Partial<Record<Kind, Result>>>({})
  const timers = useRef(new Map<Kind, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const running = timers.current
    return () => running.forEach((timer) => clearTimeout(timer))
  }, [])
  const show = (kind: Kind, result: Result) => {
    clearTimeout(timers.current.get(kind))
    const hide = () => setResults((shown) => ({ ...shown, [kind]: undefined }))
    timers.current.set(kind, setTimeout(hide, SHOWN_MS))
    setResults((shown) => ({ ...shown, [kind]: result }))
  }
  return { results, show }
}
