import { Unreachable } from './database-errors.ts'

type Line = { atWork: number; waiting: Set<() => void> }

/** Of each key at most so many works are under way. The next wait in a line of their own, for `patienceMs` at most, so that what there is
 *  plenty of under one key holds up none of another. */
export function fairShares(atOnce: number, patienceMs: number) {
  const lines = new Map<string, Line>()

  const join = (line: Line) =>
    new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(late)
        line.waiting.delete(enter)
        resolve()
      }
      const late = setTimeout(() => {
        line.waiting.delete(enter)
        reject(new Unreachable('No turn at the database'))
      }, patienceMs)
      line.waiting.add(enter)
    })
  /** Whoever leaves gives their place to the next. */
  const leave = (key: string, line: Line) => {
    const [enter] = line.waiting
    if (enter) return enter()
    line.atWork -= 1
    if (line.atWork === 0) lines.delete(key)
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { atWork: 0, waiting: new Set() }
    lines.set(key, line)
    if (line.atWork < atOnce) line.atWork += 1
    else await join(line)
    try {
      return await work()
    } finally {
      leave(key, line)
    }
  }
}
