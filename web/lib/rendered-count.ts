import { useDeferredValue } from 'react'

/** More rows than fit on any screen, and more cards than fit on this one: none is smaller. */
const ROWS = 30,
  CARD_AREA = 320 * 100

/** How many of a long list to render: a screenful at once and the rest in a deferred render, which input interrupts. */
export const useRenderedCount = (as: 'rows' | 'cards') =>
  useDeferredValue(Infinity, as === 'rows' ? ROWS : Math.ceil((innerWidth * innerHeight) / CARD_AREA))
