import type { IncomingText } from '@tatami/contract/text-history'
import { useState } from 'react'

/** Which were unread when they first appeared here: they stay marked as such, so that reading does not take the mark away. */
export function useNewOnes(texts: readonly IncomingText[] = []): (id: string) => boolean {
  const [known, setKnown] = useState<readonly string[]>([])
  const more = texts.filter(({ id, read_at }) => read_at === null && !known.includes(id)).map(({ id }) => id)
  if (more.length > 0) setKnown([...known, ...more])
  return (id) => known.includes(id)
}
