import type { CSSProperties } from 'react'

type Colour = 'white' | 'yellow' | 'orange' | 'green' | 'blue' | 'brown' | 'black'

/** In pixels of the screen, however small the belt. */
const EDGE = 0.9

/** A small knotted belt. Beside a word that names its colour, `decorative` keeps it from being read twice. */
export const Belt = ({ colour, size = 36, decorative }: { colour: Colour; size?: number; decorative?: boolean }) => (
  <svg
    width={size}
    height={size / 2}
    viewBox="0 0 48 24"
    fill={`var(--belt-${colour})`}
    stroke="var(--belt-edge)"
    strokeWidth={(EDGE * 48) / size}
    strokeLinejoin="round"
    {...(decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `${colour} belt` })}
  >
    <path d="M22 11 14.5 21.5 19.5 23 25 13zM26 11l7.5 10.5-5 1.5L23 13z" />
    <path d="M2 5.5q22 3.5 44 0v6q-22 3.5-44 0z" />
    <path d="M19.5 5.5h9l1.5 4-1.5 5h-9l-1.5-5z" />
    <path d="M20 12.5 28 7" fill="none" opacity="0.7" />
  </svg>
)

/** Sets the colour of the edge that `row-marks.module.css` draws beside a card or a row. */
export const beltEdge = (colour: Colour) => ({ '--belt': `var(--belt-${colour})` }) as CSSProperties
