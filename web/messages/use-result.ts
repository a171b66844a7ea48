import { useEffect, useState } from 'react'

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
