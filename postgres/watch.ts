import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { AlreadyRunning } from './lock.ts'

const FIRST_PAUSE_MS = 50,
  LONGEST_PAUSE_MS = 5_000

type Hearers = { say: (line: string) => void; onLost: (reason: Error) => void }

/** Enters again whenever the connection breaks, which starts a server that died. Gives back its end, and that the last connection. */
export function keepEntered(first: pg.Client, enter: () => Promise<pg.Client>, { say, onLost }: Hearers): () => Promise<pg.Client> {
  const over = new AbortController()
  let holder = first
  let recovering: Promise<void> | undefined

  function watch() {
    holder.once('end', () => {
      if (!over.signal.aborted) recovering = recover()
    })
  }
  async function recover() {
    say('The database has gone away. Starting it again …')
    for (let pause = FIRST_PAUSE_MS; !over.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        holder = await enter()
        watch()
        return say('The database is back.')
      } catch (error) {
        say((error as Error).message)
        if (error instanceof AlreadyRunning) return onLost(error)
      }
      await sleep(pause, undefined, over).catch(() => {})
    }
  }

  watch()
  return async () => {
    over.abort()
    await recovering
    return holder
  }
}
