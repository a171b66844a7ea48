import { useEffect, useRef, useState } from 'react'
import { useShell } from '../lib/shell.tsx'

const NEWEST = { mobile: 3, desktop: 5 }

/** A list among others shows its newest, until all are asked for; then the focus goes on to the first one more. */
export function useCompact<T>(rows: readonly T[] | undefined) {
  const newest = NEWEST[useShell()]
  const list = useRef<HTMLUListElement>(null)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    if (isWhole) list.current?.children[newest]?.querySelector<HTMLElement>('button, a')?.focus()
  }, [isWhole, newest])
  const isCut = !isWhole && rows !== undefined && rows.length > newest
  return { list, shown: isCut ? rows.slice(0, newest) : rows, isCut, showAll: () => setWhole(true) }
}
