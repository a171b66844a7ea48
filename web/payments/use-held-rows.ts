import { useState } from 'react'

const NOBODY: ReadonlySet<string> = new Set()

/** Who was marked in the list that `list` names. They stay in it, so that no other row moves under the finger, until another is chosen. */
export function useHeldRows(list: string) {
  const [held, setHeld] = useState({ list, ids: NOBODY })
  const ids = held.list === list ? held.ids : NOBODY
  const hold = (id: string) => setHeld((now) => ({ list, ids: new Set([...(now.list === list ? now.ids : []), id]) }))
  const release = () => setHeld({ list, ids: NOBODY })
  return { ids, hold, release }
}
