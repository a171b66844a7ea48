import type { RankColour, ShownRank } from '@tatami/contract/lib/ranks'
import { type CSSProperties, useState } from 'react'
import { isLightColor } from '../ui/belt.tsx'
import { pluralize } from '../lib/text.ts'
import styles from './belt-tying.module.css'

const LEFT_HALF = 'M2 8Q13 9.75 24 9.75'
const RIGHT_HALF = 'M46 8Q35 9.75 24 9.75'

/** More belts would not fit on a phone. */
const MAX_BELTS = 6

type Props = { ranks: readonly ShownRank[] }

/** Celebrates promotions with an animation in which the new belts are tied. Screen readers skip it,
 *  because the bar with Undo has the same information. */
export function BeltTying({ ranks }: Props) {
  const [isOver, setIsOver] = useState(false)
  if (isOver) return null
  const newRanks = [...new Map(ranks.map((rank) => [rank.id, rank])).values()]
  return (
    <div
      className={styles.celebration}
      data-celebration={newRanks.map(({ colours }) => colours[0]).join(' ')}
      aria-hidden
      onAnimationEnd={({ target, currentTarget }) => target === currentTarget && setIsOver(true)}
    >
      <div className={styles.ground} data-several={ranks.length > 1}>
        {newRanks.slice(0, MAX_BELTS).map(({ id, colours }) => (
          <TyingBelt key={id} colours={colours} />
        ))}
        {ranks.length > 1 && (
          <p className={styles.words}>{pluralize(ranks.length, 'student')} promoted</p>
        )}
      </div>
    </div>
  )
}

function TyingBelt({ colours }: { colours: readonly RankColour[] }) {
  const [firstColor = 'white', secondColor = firstColor] = colours
  const style = {
    '--first': `var(--belt-${firstColor})`,
    '--second': `var(--belt-${secondColor})`,
  } as CSSProperties
  return (
    <svg
      viewBox="0 0 48 26"
      className={styles.belt}
      style={style}
      data-light={isLightColor(firstColor)}
    >
      <path d="M22 12 14.5 21.5 19.5 23 25 14z" className={styles.end} />
      <path d="M26 12l7.5 9.5-5 1.5L23 14z" className={`${styles.end} ${styles.otherEnd}`} />
      {[LEFT_HALF, RIGHT_HALF].map((half) => (
        <g key={half}>
          <path d={half} pathLength={100} className={styles.edge} />
          <path d={half} pathLength={100} className={styles.band} />
        </g>
      ))}
      <path d="M20 5h8l1.5 5-1.5 4.5h-8L18.5 10z" className={styles.knot} />
    </svg>
  )
}
