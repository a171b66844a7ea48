import type { RankColour, RankPattern } from '@tatami/contract/lib/ranks'

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

type StrandProps = { colour: string; dashes?: string | undefined; width?: number; path?: string }

/** Draws along the band: the dashes, or all of it. */
const Strand = ({ colour, dashes, width = 7, path = BAND }: StrandProps) => (
  <path
    d={path}
    pathLength={100}
    fill="none"
    stroke={colour}
    strokeWidth={width}
    strokeDasharray={dashes}
  />
)

export function Belt({ label, size = 36, decorative, ...drawing }: Props) {
  const [first] = drawing.colours
  const Shape = drawing.pattern === 'patch' ? Patch : KnottedBelt
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
      <Shape {...drawing} />
    </svg>
  )
}

const markColour = (ground: RankColour | undefined) =>
  paint(LIGHT.includes(ground) ? 'black' : 'white')

function Patch({ colours, tags_count = 0, tags_colour, stripes = 0 }: Drawing) {
  const [first, second = first] = colours
  const tagsPath = `M17 ${stripes > 0 ? 8.5 : 12}h14`
  return (
    <>
      <path d={round(11)} fill={paint(second)} />
      <path d={round(8)} stroke="none" />
      {tags_count > 0 && (
        <Strand
          colour={paint(tags_colour)}
          dashes={marks(tags_count, 50, 100)}
          width={6}
          path={tagsPath}
        />
      )}
      {stripes > 0 && (
        <Strand
          colour={markColour(first)}
          dashes={marks(stripes, 50, 100)}
          width={5}
          path="M18 15.5h12"
        />
      )}
    </>
  )
}

function KnottedBelt({
  colours,
  pattern = 'solid',
  tags_count = 0,
  tags_colour,
  stripes = 0,
}: Drawing) {
  const [first, second = first] = colours
  const bar = BARS[pattern]
  const end = pattern === 'split' || pattern === 'tip' ? second : first
  const isOutlined = ![first, tags_colour].some((colour) => LIGHT.includes(colour))
  return (
    <>
      <path d="M22 12 14.5 21.5 19.5 23 25 14z" />
      <path d="M26 12l7.5 9.5-5 1.5L23 14z" fill={paint(end)} />
      <Strand colour={paint(first)} />
      {pattern === 'split' && <Strand colour={paint(second)} dashes="0 50 50" />}
      {pattern === 'panels' && <Strand colour={paint(second)} dashes="9" />}
      {pattern === 'centre-stripe' && <Strand colour={paint(second)} width={2.4} />}
      {pattern === 'tip' && <Strand colour={paint(second)} dashes="0 74 26" />}
      {bar && <Strand colour={paint(bar)} dashes="0 63 33 9" />}
      {tags_count > 0 && isOutlined && (
        <Strand colour="var(--belt-white)" dashes={marks(tags_count, 20.5, 31, 0.9)} />
      )}
      {tags_count > 0 && (
        <Strand colour={paint(tags_colour)} dashes={marks(tags_count, 20.5, 31)} />
      )}
      {stripes > 0 && <Strand colour={markColour(bar ?? end)} dashes={marks(stripes, 79.5, 29)} />}
      <path d="M2 4.5q22 3.5 44 0v7q-22 3.5-44 0z" fill="none" />
      <path d="M20 5h8l1.5 5-1.5 4.5h-8L18.5 10z" />
      <path d="M20.5 12.5 27.5 7.5" fill="none" opacity="0.7" />
    </>
  )
}
