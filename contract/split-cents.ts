/** The cents in so many even parts, of which the first has what is left over; their sum is exact. */
export function splitCents(cents: number, parts: number): number[] {
  const each = Math.trunc(cents / parts)
  return Array.from({ length: parts }, (_, place) =>
    place === 0 ? cents - each * (parts - 1) : each,
  )
}
