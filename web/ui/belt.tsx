import type { RankColour, RankPattern } from '@tatami/contract/lib/ranks'

/** In pixels of the screen, at any size. */
const EDGE = 1.1
/** The middle of the band, with a path length of 100 for the dashes along it. */
const BAND = 'M2 8q22 3.5 44 0'
const round = (radius: number) => `M24 ${12 - radius}a${radius} ${radius} 0 1 1-.01 0z`

export type Drawing = {
  colours: readonly RankColour[]
  pattern?: RankPattern
  tags_count?: number
  tags_colour?: RankColour | null
  stripes?: number
}
type Props = Drawing & {
  label?: string | undefined
  size?: number | undefined
  /** Hidden from screen readers, for use beside words that say the same. */
  decorative?: boolean | undefined
}

const paint = (colour: RankColour | null | undefined) =>
  colour ? `var(--belt-${colour})` : 'var(--sunken)'
const BARS: Partial<Record<RankPattern, RankColour>> = { bar: 'black', 'red-bar': 'red' }
/** Marks on these colors are black, on others white. */
const LIGHT: readonly (RankColour | null | undefined)[] = [
  'white',
  'grey',
  'yellow',
  'gold',
  'orange',
  undefined,
]

/** Dashes for `count` marks around `middle`, closer together if they would not fit. */
function marks(count: number, middle: number, room: number, breadth = 0.56) {
  const step = Math.min(room / 3.5, room / count)
  return `0 ${middle - (step * (count - 1 + breadth)) / 2} ${`${step * breadth} ${step * (1 - breadth)} `.repeat(count)}0 100`
}

export function Belt({
  colours,
  pattern = 'solid',
  tags_count = 0,
  tags_colour,
  stripes = 0,
  label,
  size = 36,
  decorative,
}: Props) {
  const [first, second = first] = colours
  const isPatch = pattern === 'patch'
  /** Draws along the band: the dashes, or all of it. */
  const part = (colour: string, dashes?: string, width = 7, path = BAND) => (
    <path
      d={path}
      pathLength={100}
      fill="none"
      stroke={colour}
      strokeWidth={width}
      strokeDasharray={dashes}
    />
  )
  const areDark = !isPatch && ![first, tags_colour].some((colour) => LIGHT.includes(colour))
  const tags = (middle: number, room: number, width = 7, path = BAND) =>
    tags_count > 0 && (
      <>
        {areDark && part('var(--belt-white)', marks(tags_count, middle, room, 0.9), width, path)}
        {part(paint(tags_colour), marks(tags_count, middle, room), width, path)}
      </>
    )
  const bar = BARS[pattern]
  const hasTwoEnds = pattern === 'split' || pattern === 'tip'
  const markColour = LIGHT.includes(bar ?? (hasTwoEnds ? second : first)) ? 'black' : 'white'
  return (
    <svg
      width={size}
      height={size / 2}
      viewBox="0 0 48 24"
      fill={paint(first)}
      stroke="var(--belt-edge)"
      strokeWidth={(EDGE * 48) / size}
      strokeLinejoin="round"
      {...(decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {isPatch ? (
        <>
          <path d={round(11)} fill={paint(second)} />
          <path d={round(8)} stroke="none" />
          {tags(50, 100, 6, `M17 ${stripes > 0 ? 8.5 : 12}h14`)}
          {stripes > 0 && part(paint(markColour), marks(stripes, 50, 100), 5, 'M18 15.5h12')}
        </>
      ) : (
        <>
          <path d="M22 12 14.5 21.5 19.5 23 25 14z" />
          <path d="M26 12l7.5 9.5-5 1.5L23 14z" fill={paint(hasTwoEnds ? second : first)} />
          {part(paint(first))}
          {pattern === 'split' && part(paint(second), '0 50 50')}
          {pattern === 'panels' && part(paint(second), '9')}
          {pattern === 'centre-stripe' && part(paint(second), undefined, 2.4)}
          {pattern === 'tip' && part(paint(second), '0 74 26')}
          {bar && part(paint(bar), '0 63 33 9')}
          {tags(20.5, 31)}
          {stripes > 0 && part(paint(markColour), marks(stripes, 79.5, 29))}
          <path d="M2 4.5q22 3.5 44 0v7q-22 3.5-44 0z" fill="none" />
          <path d="M20 5h8l1.5 5-1.5 4.5h-8L18.5 10z" />
          <path d="M20.5 12.5 27.5 7.5" fill="none" opacity="0.7" />
        </>
      )}
    </svg>
  )
}
