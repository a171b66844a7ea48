import { useDeferredValue } from 'react'

const ROWS_PER_SCREEN = 30
/** The area of a small card, so that the first render fills the screen. */
const CARD_AREA_PX = 320 * 72
const HEADER_HEIGHT_PX = 200

function cardsPerScreen() {
  const listHeight = Math.max(innerHeight - HEADER_HEIGHT_PX, HEADER_HEIGHT_PX)
  return Math.ceil((innerWidth * listHeight) / CARD_AREA_PX)
}

/** Renders one screenful first, and the rest in a deferred render, which input can interrupt. */
export const useRenderedCount = (listStyle: 'rows' | 'cards') =>
  useDeferredValue(Infinity, listStyle === 'rows' ? ROWS_PER_SCREEN : cardsPerScreen())
