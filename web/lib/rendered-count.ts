import { useDeferredValue } from 'react'

const ROWS = 30,
  CARD_AREA = 320 * 100,
  HEAD_HEIGHT = 200
const cardsOfScreen = () =>
  Math.ceil((innerWidth * Math.max(innerHeight - HEAD_HEIGHT, HEAD_HEIGHT)) / CARD_AREA)

/** A screenful at once, the rest in a deferred render, which input interrupts. */
export const useRenderedCount = (kind: 'rows' | 'cards') =>
  useDeferredValue(Infinity, kind === 'rows' ? ROWS : cardsOfScreen())
