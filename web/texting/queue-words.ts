import type { Counts } from '@tatami/contract/text-history'

/** How many texts of a sending have left our queue; those that wait for tomorrow are not asked to. */
export function leftQueue({ total, waiting, queued }: Counts): { left: number; all: number } {
  const all = total - waiting
  return { left: all - queued, all }
}

const QUARTERS = 4

/** What is read out while a queue runs down: a word at every quarter rather than at every text. */
export function queueWords(name: string, counts: Counts): string {
  const { left, all } = leftQueue(counts)
  const quarters = all === 0 ? QUARTERS : Math.floor((QUARTERS * left) / all)
  return quarters === QUARTERS ? `${name}: all texts have left` : `${name}: ${(100 * quarters) / QUARTERS} % of ${all} texts have left`
}
