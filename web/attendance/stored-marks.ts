import { deviceDatabase } from '../lib/device-database.ts'
import type { MarkStore, MarkTarget, StoredMark } from './mark-queue.ts'

const keyOf = (account: string, { class_id, day, student_id }: MarkTarget) =>
  [account, class_id, day, student_id].join(' ')

/** The marks of the account that is signed in, which is known later than this file, in this device's database; in this page's memory alone, as `isDurable` says, where the browser has no room. */
export function storedMarks(account: () => string): MarkStore & { isDurable: () => boolean } {
  let inMemory: Map<string, StoredMark> | undefined
  const load = () => deviceDatabase.all<StoredMark>('marks', `${account()} `)
  const keysOf = (targets: readonly MarkTarget[]) =>
    targets.map((target) => keyOf(account(), target))
  const changeInMemory = (
    kept: Map<string, StoredMark>,
    targets: readonly MarkTarget[],
    to: Parameters<MarkStore['change']>[1],
  ) =>
    keysOf(targets).forEach((key, index) => {
      const mark = to(kept.get(key), index)
      if (mark) kept.set(key, mark)
      else kept.delete(key)
    })
  async function loadIntoMemory() {
    const stored = await load().catch(() => [])
    inMemory ??= new Map(stored.map((mark) => [keyOf(account(), mark), mark]))
    return inMemory
  }
  return {
    load: async () => [
      ...(inMemory
        ? inMemory.values()
        : await load().catch(async () => (await loadIntoMemory()).values())),
    ],
    change: async (targets, to) => {
      if (inMemory) return changeInMemory(inMemory, targets, to)
      try {
        await deviceDatabase.change('marks', keysOf(targets), to)
      } catch {
        changeInMemory(await loadIntoMemory(), targets, to)
      }
    },
    isDurable: () => inMemory === undefined,
  }
}
