import { useDeferredValue } from 'react'

/** More rows than fit on any screen, and more cards than fit on this one below the head of a page: none is smaller. */
const ROWS = 30,
  CARD_AREA = 320 * 100,
  HEAD_HEIGHT = 200
const cardsOfScreen = () =>
  Math.ceil((innerWidth * Math.max(innerHeight - HEAD_HEIGHT, HEAD_HEIGHT)) / CARD_AREA)

/** How many of a long list to render: a screenful at once and the rest in a deferred render, which input interrupts. */
export const useRenderedCount = (kind: 'rows' | 'cards') =>
  useDeferredValue(Infinity, kind === 'rows' ? ROWS : cardsOfScreen())
