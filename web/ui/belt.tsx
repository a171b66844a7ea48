import type { RankColour, RankPattern } from '@tatami/contract/lib/ranks'

/** The width of the drawing in its own units, whatever its size on the screen. */
const DRAWING_WIDTH = 48
const EDGE_WIDTH_PX = 1.1
/** The middle line of the band. Dashes along it are in percent of its length (`pathLength`). */
const BAND_PATH = 'M2 8q22 3.5 44 0'
const circlePath = (radius: number) => `M24 ${12 - radius}a${radius} ${radius} 0 1 1-.01 0z`

export type BeltDrawing = {
  colours: readonly RankColour[]
  pattern?: RankPattern
  tags_count?: number
  tags_colour?: RankColour | null
  stripes?: number
}
type Props = BeltDrawing & {
  label?: string | undefined
  size?: number | undefined
  /** Hidden from screen readers, for use next to text that names the belt. */
  decorative?: boolean | undefined
}

const cssColor = (color: RankColour | null | undefined) =>
  color ? `var(--belt-${color})` : 'var(--sunken)'
const BAR_COLORS: Partial<Record<RankPattern, RankColour>> = { bar: 'black', 'red-bar': 'red' }
const LIGHT_COLORS: readonly (RankColour | null | undefined)[] = [
  'white',
  'grey',
  'yellow',
  'gold',
  'orange',
  undefined,
]

/** True if black text is readable on the color. White text is readable on all others. */
export const isLightColor = (color: RankColour | null | undefined): boolean =>
  LIGHT_COLORS.includes(color)

/** The part of a path that a row of dashes may fill, in percent of the path. */
type DashArea = { middle: number; maxLength: number }
const WHOLE_PATH: DashArea = { middle: 50, maxLength: 100 }
const LEFT_END: DashArea = { middle: 20.5, maxLength: 31 }
const RIGHT_END: DashArea = { middle: 79.5, maxLength: 29 }

/** Keeps a few dashes from becoming very long. */
const MIN_STEPS = 3.5

/** A step is a dash and the gap after it. The dash fills `filledPart` of the step. */
function dashPattern(count: number, { middle, maxLength }: DashArea, filledPart = 0.56) {
  const step = maxLength / Math.max(MIN_STEPS, count)
  const start = middle - (step * (count - 1 + filledPart)) / 2
  const dashAndGap = `${step * filledPart} ${step * (1 - filledPart)} `
  return `0 ${start} ${dashAndGap.repeat(count)}0 100`
}

type StrandProps = { color: string; dashes?: string | undefined; width?: number; path?: string }

const Strand = ({ color, dashes, width = 7, path = BAND_PATH }: StrandProps) => (
  <path
    d={path}
    pathLength={100}
    fill="none"
    stroke={color}
    strokeWidth={width}
    strokeDasharray={dashes}
  />
)

export function Belt({ label, size = 36, decorative, ...drawing }: Props) {
  const [firstColor] = drawing.colours
  const Shape = drawing.pattern === 'patch' ? Patch : KnottedBelt
  return (
    <svg
      width={size}
      height={size / 2}
      viewBox="0 0 48 24"
      fill={cssColor(firstColor)}
      stroke="var(--belt-edge)"
      strokeWidth={(EDGE_WIDTH_PX * DRAWING_WIDTH) / size}
      strokeLinejoin="round"
      {...(decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <Shape {...drawing} />
    </svg>
  )
}

const contrastingColor = (background: RankColour | undefined) =>
  cssColor(isLightColor(background) ? 'black' : 'white')

function Patch({ colours, tags_count = 0, tags_colour, stripes = 0 }: BeltDrawing) {
  const [firstColor, secondColor = firstColor] = colours
  const tagsPath = `M17 ${stripes > 0 ? 8.5 : 12}h14`
  return (
    <>
      <path d={circlePath(11)} fill={cssColor(secondColor)} />
      <path d={circlePath(8)} stroke="none" />
      {tags_count > 0 && (
        <Strand
          color={cssColor(tags_colour)}
          dashes={dashPattern(tags_count, WHOLE_PATH)}
          width={6}
          path={tagsPath}
        />
      )}
      {stripes > 0 && (
        <Strand
          color={contrastingColor(firstColor)}
          dashes={dashPattern(stripes, WHOLE_PATH)}
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
}: BeltDrawing) {
  const [firstColor, secondColor = firstColor] = colours
  const barColor = BAR_COLORS[pattern]
  const endColor = pattern === 'split' || pattern === 'tip' ? secondColor : firstColor
  // Dark tags on a dark belt get a white outline.
  const isOutlined = ![firstColor, tags_colour].some((color) => isLightColor(color))
  return (
    <>
      <path d="M22 12 14.5 21.5 19.5 23 25 14z" />
      <path d="M26 12l7.5 9.5-5 1.5L23 14z" fill={cssColor(endColor)} />
      <Strand color={cssColor(firstColor)} />
      {pattern === 'split' && <Strand color={cssColor(secondColor)} dashes="0 50 50" />}
      {pattern === 'panels' && <Strand color={cssColor(secondColor)} dashes="9" />}
      {pattern === 'centre-stripe' && <Strand color={cssColor(secondColor)} width={2.4} />}
      {pattern === 'tip' && <Strand color={cssColor(secondColor)} dashes="0 74 26" />}
      {barColor && <Strand color={cssColor(barColor)} dashes="0 63 33 9" />}
      {tags_count > 0 && isOutlined && (
        <Strand color="var(--belt-white)" dashes={dashPattern(tags_count, LEFT_END, 0.9)} />
      )}
      {tags_count > 0 && (
        <Strand color={cssColor(tags_colour)} dashes={dashPattern(tags_count, LEFT_END)} />
      )}
      {stripes > 0 && (
        <Strand
          color={contrastingColor(barColor ?? endColor)}
          dashes={dashPattern(stripes, RIGHT_END)}
        />
      )}
      <path d="M2 4.5q22 3.5 44 0v7q-22 3.5-44 0z" fill="none" />
      <path d="M20 5h8l1.5 5-1.5 4.5h-8L18.5 10z" />
      <path d="M20.5 12.5 27.5 7.5" fill="none" opacity="0.7" />
    </>
  )
}
