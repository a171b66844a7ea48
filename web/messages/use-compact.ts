import { useState } from 'react'
import { useShell } from '../kernel/shell.tsx'

const NEWEST = 3

/** On a phone a list among others shows its newest, until all are asked for. */
export function useCompact<T>(rows: readonly T[] | undefined) {
  const isPhone = useShell() === 'mobile'
  const [isWhole, setWhole] = useState(false)
  const isCut = isPhone && !isWhole && rows !== undefined && rows.length > NEWEST
  return { shown: isCut ? rows.slice(0, NEWEST) : rows, isCut, showAll: () => setWhole(true) }
}
