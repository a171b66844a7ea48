import { useCallback, useState } from 'react'

const NOBODY: ReadonlySet<string> = new Set()

/** Ids that belong to a list; another list begins with none. */
export function useIdsOf(list: string) {
  const [kept, setKept] = useState({ list, ids: NOBODY })
  const ids = kept.list === list ? kept.ids : NOBODY
  const change = useCallback(
    (some: readonly string[], isIn: boolean) =>
      setKept((now) => {
        const next = new Set(now.list === list ? now.ids : [])
        for (const id of some) {
          if (isIn) next.add(id)
          else next.delete(id)
        }
        return { list, ids: next }
      }),
    [list],
  )
  const clear = useCallback(() => setKept({ list, ids: NOBODY }), [list])
  return { ids, change, clear }
}
