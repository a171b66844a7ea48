import type { RankColour, RankPattern, ShownRank } from '@tatami/contract/lib/ranks'
import type { Color, PDFPage } from 'pdf-lib'

const COLOURS: Record<RankColour, string> = {
  white: '#f7f4ee',
  grey: '#979ca2',
  yellow: '#f2c230',
  gold: '#b98f1e',
  orange: '#e8792b',
  green: '#2f8f4e',
  camouflage: '#68733c',
  blue: '#2b62c4',
  purple: '#6d3aa8',
  brown: '#7a4a25',
  red: '#c1212c',
  black: '#23201d',
}
const NO_COLOUR = '#ece7dd'
const EDGE_COLOUR = '#8f8577'
const BARS: Partial<Record<RankPattern, RankColour>> = { bar: 'black', 'red-bar': 'red' }
const LIGHT_COLOURS: readonly (RankColour | undefined)[] = [
  'white',
  'grey',
  'yellow',
  'gold',
  'orange',
  undefined, // drawn as NO_COLOUR
]

/** The band's middle line in a 48 by 24 box. Dash lengths are in hundredths of the line. */
const BAND = 'M2 8q22 3.5 44 0'
const BAND_LENGTH = 44.37
const BAND_EDGE = 'M2 4.5q22 3.5 44 0v7q-22 3.5-44 0z'
const circlePath = (radius: number) => `M24 ${12 - radius}a${radius} ${radius} 0 1 1-.01 0z`

export const RANK_WIDTH = 48

/** Returns the dashes for `count` tags around `middle`. Many tags are closer together, so that all
 *  of them fit into `maxLength`. */
function computeTagDashes(count: number, middle: number, maxLength: number): number[] {
  const step = Math.min(maxLength / 3.5, maxLength / count)
  const dash = 0.56
  const dashes = Array.from({ length: count }, () => [step * dash, step * (1 - dash)]).flat()
  return [0, middle - (step * (count - 1 + dash)) / 2, ...dashes, 0, 100]
}

type RankPosition = { x: number; y: number; scale: number; toColor: (hex: string) => Color }

/** Draws a belt or a patch like web/ui/belt.tsx. `x` and `y` are the upper left corner. */
export function drawRank(
  page: PDFPage,
  { colours, pattern, tags_count, tags_colour }: ShownRank,
  { x, y, scale, toColor }: RankPosition,
): void {
  const [firstColour, secondColour = firstColour] = colours
  const paint = (colour: RankColour | null | undefined) =>
    toColor(colour ? COLOURS[colour] : NO_COLOUR)
  const position = { x, y, scale }
  const edge = { borderColor: toColor(EDGE_COLOUR), borderWidth: 1.1 / scale }
  const fill = (path: string, colour: RankColour | undefined, border: object = edge) =>
    page.drawSvgPath(path, { ...position, color: paint(colour), ...border })
  const outline = (path: string, borderOpacity = 1) =>
    page.drawSvgPath(path, { ...position, ...edge, borderOpacity })
  const stroke = (
    colour: RankColour | null | undefined,
    dashes?: number[],
    width = 7,
    path = BAND,
    length = BAND_LENGTH,
  ) =>
    page.drawSvgPath(path, {
      ...position,
      borderColor: paint(colour),
      borderWidth: width,
      ...(dashes && { borderDashArray: dashes.map((hundredths) => (hundredths * length) / 100) }),
    })

  if (pattern === 'patch') {
    fill(circlePath(11), secondColour)
    fill(circlePath(8), firstColour, {})
    if (tags_count > 0)
      stroke(tags_colour, computeTagDashes(tags_count, 50, 100), 6, 'M17 12h14', 14)
    return
  }
  const hasTwoEnds = pattern === 'split' || pattern === 'tip'
  const bar = BARS[pattern]
  fill('M22 12 14.5 21.5 19.5 23 25 14z', firstColour)
  fill('M26 12l7.5 9.5-5 1.5L23 14z', hasTwoEnds ? secondColour : firstColour)
  stroke(firstColour)
  if (pattern === 'split') stroke(secondColour, [0, 50, 50, 100])
  if (pattern === 'panels') stroke(secondColour, [9, 9])
  if (pattern === 'centre-stripe') stroke(secondColour, undefined, 2.4)
  if (pattern === 'tip') stroke(secondColour, [0, 74, 26, 100])
  if (bar) stroke(bar, [0, 63, 33, 100])
  if (tags_count > 0) {
    const isDark = ![firstColour, tags_colour ?? undefined].some((colour) =>
      LIGHT_COLOURS.includes(colour),
    )
    if (isDark) stroke('white', widenDashes(computeTagDashes(tags_count, 20.5, 31)))
    stroke(tags_colour, computeTagDashes(tags_count, 20.5, 31))
  }
  outline(BAND_EDGE)
  fill('M20 5h8l1.5 5-1.5 4.5h-8L18.5 10z', firstColour)
  outline('M20.5 12.5 27.5 7.5', 0.7)
}

/** Makes each dash a little longer. In white below dark tags on a dark belt, they become a light
 *  rim. */
function widenDashes(dashes: number[]): number[] {
  const rim = 0.6
  return dashes.map((length, index) => {
    if (index === 0 || index >= dashes.length - 2) return length
    if (index === 1) return length - rim
    const isDash = index % 2 === 0
    return isDash ? length + 2 * rim : length - 2 * rim
  })
}
