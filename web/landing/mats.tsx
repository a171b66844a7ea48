const BELT_BAND = 'M92 176C170 222 226 196 280 190S398 152 470 186'
const BELT_LEFT_END = 'M276 190C258 214 236 226 224 262'
const BELT_RIGHT_END = 'M284 190C304 214 330 222 346 252'

/** A tied belt. Without the seams that `isSewn` draws, it is a shadow. */
const BeltShape = ({ fill, isSewn }: { fill: string; isSewn?: boolean }) => (
  <g fill="none" stroke={fill} strokeWidth="15">
    {[BELT_LEFT_END, BELT_RIGHT_END, BELT_BAND].map((path) => (
      <g key={path}>
        <path d={path} />
        {isSewn && (
          <path d={path} strokeWidth="8" stroke="var(--seam)" strokeDasharray="3 2" opacity="0.5" />
        )}
        {isSewn && <path d={path} strokeWidth="6" />}
      </g>
    ))}
    <path
      d="M262 178q18-7 37 0l5 13-6 15q-18 6-36 0l-5-15z"
      fill={fill}
      strokeWidth="1"
      stroke={isSewn ? 'var(--seam)' : fill}
      strokeLinejoin="round"
    />
    {isSewn && (
      <path
        d="M262 202C274 192 286 188 301 184"
        stroke="var(--seam)"
        strokeWidth="1.5"
        opacity="0.6"
      />
    )}
  </g>
)

type MatProps = { x: number; y: number; shape: keyof typeof MAT_SIZES }

/** A mat is twice as long as it is wide and lies along the x or y axis. A half mat is square. */
const MAT_SIZES = {
  alongX: { width: 200, height: 100 },
  alongY: { width: 100, height: 200 },
  half: { width: 100, height: 100 },
}

const Mat = ({ x, y, shape }: MatProps) => {
  const { width, height } = MAT_SIZES[shape]
  const edge =
    shape === 'alongY'
      ? `M${x + 4} ${y}v${height}M${x + width - 4} ${y}v${height}`
      : `M${x} ${y + 4}h${width}M${x} ${y + height - 4}h${width}`
  return (
    <>
      <rect x={x} y={y} width={width} height={height} fill="var(--straw)" />
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        fill={`url(#rush-${shape === 'alongY' ? 'y' : 'x'})`}
      />
      <path d={edge} stroke="var(--cloth)" strokeWidth="8" />
    </>
  )
}

export const Mats = () => (
  <svg
    viewBox="0 0 560 372"
    role="img"
    aria-label="A small room laid with tatami mats, and a violet belt on them"
  >
    <defs>
      <pattern id="rush-x" width="4" height="4" patternUnits="userSpaceOnUse">
        <path d="M0 2h4" stroke="var(--weave)" />
      </pattern>
      <pattern id="rush-y" width="4" height="4" patternUnits="userSpaceOnUse">
        <path d="M2 0v4" stroke="var(--weave)" />
      </pattern>
      <clipPath id="floor">
        <path d="M0 0h300v300H0z" />
      </clipPath>
    </defs>
    <path d="M8 180 280 337l272-157v16L280 353 8 196z" fill="var(--wood)" />
    <path d="M280 337l272-157v16L280 353z" fill="var(--cloth)" opacity="0.25" />
    <path d="M280 23 552 180 280 337 8 180z" fill="var(--wood)" />
    <g transform="matrix(.866 .5 -.866 .5 280 30)" fill="none">
      <Mat x={0} y={0} shape="alongX" />
      <Mat x={200} y={0} shape="alongY" />
      <Mat x={100} y={200} shape="alongX" />
      <Mat x={0} y={100} shape="alongY" />
      <Mat x={100} y={100} shape="half" />
      <path
        d="M200 0v200M0 100h200M100 100v200M100 200h200"
        stroke="var(--cloth)"
        strokeWidth="1"
      />
      <g clipPath="url(#floor)" fill="var(--daylight)" transform="skewX(-18)">
        {[0, 1, 2].flatMap((column) =>
          [0, 1, 2, 3].map((row) => (
            <rect
              key={`${column}-${row}`}
              x={150 + column * 46}
              y={24 + row * 58}
              width="42"
              height="54"
            />
          )),
        )}
      </g>
    </g>
    <g transform="translate(6 8)" opacity="0.28">
      <BeltShape fill="var(--cloth)" />
    </g>
    <BeltShape fill="var(--belt-violet)" isSewn />
  </svg>
)
