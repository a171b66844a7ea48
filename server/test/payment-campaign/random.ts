/** Chance decides what payers do. With the same seed, it decides the same. */
import { mustExist } from '@tatami/contract/lib/must-exist'

let state = 0

export function seedRandom(seed: number): void {
  state = seed
}

/** From 0 to below 1 (mulberry32). */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let scrambledState = Math.imul(state ^ (state >>> 15), 1 | state)
  scrambledState =
    (scrambledState + Math.imul(scrambledState ^ (scrambledState >>> 7), 61 | scrambledState)) ^
    scrambledState
  return ((scrambledState ^ (scrambledState >>> 14)) >>> 0) / 4_294_967_296
}

export const chance = (share: number): boolean => random() < share

export const pickFrom = <Item>(items: readonly [Item, ...Item[]]): Item =>
  mustExist(items[Math.floor(random() * items.length)], 'An item')

export const shuffle = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
