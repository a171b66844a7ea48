/** Each second gives back a fifth of the full pace. */
const RECOVERED_PER_SECOND = 0.2

/** Which share of the full pace texts may leave at, `sinceMs` after it was last lowered to `share`. */
export const shareNow = ({ share, sinceMs }: { share: number; sinceMs: number }): number =>
  Math.min(1, share + (RECOVERED_PER_SECOND * Math.max(0, sinceMs)) / 1000)

/** A refusal takes one text a second off the pace, at most half of it: over a second, what remains is the share that the provider took. */
export const shareAfterRefusal = (share: number, perSecond: number): number => Math.max(share - 1 / perSecond, share / 2)
