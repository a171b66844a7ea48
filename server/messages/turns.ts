/** Shares slots out among the dojos whose texts wait: each the same, the odd ones to those next in line after whoever had the last turn. */
export function turnsOf(dojoIds: string[], lastDojoId: string, slots: number): { dojoId: string; texts: number }[] {
  const line = dojoIds.toSorted()
  const next = line.findIndex((id) => id > lastDojoId)
  const fromNext = next < 0 ? line : [...line.slice(next), ...line.slice(0, next)]
  const each = Math.floor(slots / line.length), odd = slots % line.length
  return fromNext.map((dojoId, place) => ({ dojoId, texts: each + (place < odd ? 1 : 0) })).filter(({ texts }) => texts > 0)
}
