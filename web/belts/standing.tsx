import { describeMissing } from '@tatami/contract/belts/eligibility'
import type { OwnBelts } from '@tatami/contract/belts/readiness'
import { useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankName } from '../ui/rank-name.ts'
import styles from './standing.module.css'
import kit from '../ui/kit.module.css'

export type Standing = Pick<
  OwnBelts['styles'][number],
  | 'rank'
  | 'since'
  | 'classes'
  | 'months'
  | 'next'
  | 'missing'
  | 'instructor_decides'
  | 'has_outgrown'
>

const classesWords = (count: number) => (count === 1 ? '1 class' : `${count} classes`)

type Props = { standing: Standing; isNamed?: boolean }

export const InRank = ({ standing: { rank, since, classes, months }, isNamed }: Props) => (
  <p className={`${kit.note} ${styles.words}`}>
    {isNamed && rankName({ ...rank, stripes: 0 })} since {formatDate(since)} ·{' '}
    {classesWords(classes)}, {pluralize(months, 'month')}
  </p>
)

export const HeldRank = ({ standing }: { standing: Standing }) => (
  <div className={`${kit.line} ${styles.held}`}>
    <RankBelt rank={standing.rank} size={56} decorative />
    <div>
      <p className={`${kit.title} ${kit.strong} ${styles.words}`}>{rankName(standing.rank)}</p>
      <InRank standing={standing} />
    </div>
  </div>
)

/** The earliest day that time and age allow. */
const earliestOf = ({ missing }: Standing) =>
  missing
    .flatMap(({ until }) => until ?? [])
    .toSorted()
    .at(-1)

export function NextRank({ standing }: { standing: Standing }) {
  const { next, has_outgrown } = standing
  if (!next)
    return (
      <p className={`${kit.note} ${styles.words}`}>
        {has_outgrown
          ? 'Too old for this ladder. The instructor chooses the next rank.'
          : 'This is the top of the ladder.'}
      </p>
    )
  return (
    <div className={`${kit.line} ${styles.held}`}>
      <RankBelt rank={next} size={36} decorative />
      <div>
        <p className={`${kit.strong} ${styles.words}`}>Next: {rankName(next)}</p>
        <WhatIsMissing standing={standing} />
      </div>
    </div>
  )
}

function WhatIsMissing({ standing }: { standing: Standing }) {
  const { missing, instructor_decides } = standing
  const isInstructor = useCurrentUser().is_instructor
  const earliest = earliestOf(standing)
  if (instructor_decides)
    return (
      <p className={`${kit.note} ${styles.words}`}>
        {isInstructor ? 'No requirements. You decide when.' : 'Your instructor decides when.'}
      </p>
    )
  if (missing.length === 0)
    return <p className={`${kit.green} ${styles.words}`}>All requirements met</p>
  return (
    <p className={`${kit.orange} ${styles.words}`}>
      Missing: {describeMissing(missing)}
      {earliest && <span className={kit.note}> (not before {formatDate(earliest)})</span>}
    </p>
  )
}
