import { describeMissing } from '@tatami/contract/belts/eligibility'
import { formatPercent } from '@tatami/contract/lib/percent'
import type { OwnBelts } from '@tatami/contract/belts/readiness'
import { isStaff, useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankName } from '../ui/rank-name.ts'
import { ProgressRing } from './progress-ring.tsx'
import styles from './rank-progress.module.css'
import kit from '../ui/kit.module.css'

export type RankProgress = Pick<
  OwnBelts['styles'][number],
  | 'rank'
  | 'since'
  | 'classes'
  | 'months'
  | 'next'
  | 'missing'
  | 'completion'
  | 'instructor_decides'
  | 'has_outgrown'
>

const formatClasses = (count: number) => pluralize(count, 'class', 'classes')

type Props = { progress: RankProgress; hasRankName?: boolean }

/** `hasRankName` adds the name of the rank. It leaves out stripes, because the date is from before the
 *  stripes. */
export const TimeInRank = ({ progress: { rank, since, classes, months }, hasRankName }: Props) => (
  <p className={`${kit.note} ${styles.text}`}>
    {hasRankName && rankName({ ...rank, stripes: 0 })} since {formatDate(since)} ·{' '}
    {formatClasses(classes)}, {pluralize(months, 'month')}
  </p>
)

export const HeldRank = ({ progress }: { progress: RankProgress }) => (
  <div className={`${kit.line} ${styles.rank}`}>
    <RankBelt rank={progress.rank} size={56} decorative />
    <div>
      <p className={`${kit.title} ${kit.strong} ${styles.text}`}>{rankName(progress.rank)}</p>
      <TimeInRank progress={progress} />
    </div>
  </div>
)

/** Finds the first day on which all requirements can be met, which is the latest `until`. */
const findEarliestDay = ({ missing }: RankProgress) =>
  missing
    .flatMap(({ until }) => until ?? [])
    .toSorted()
    .at(-1)

export function NextRank({ progress }: { progress: RankProgress }) {
  const { next, completion, has_outgrown } = progress
  if (!next)
    return (
      <p className={`${kit.note} ${styles.text}`}>
        {has_outgrown
          ? 'Too old for this ladder. The instructor chooses the next rank.'
          : 'This is the top of the ladder.'}
      </p>
    )
  return (
    <div className={`${kit.line} ${styles.rank}`}>
      {completion === null ? (
        <RankBelt rank={next} size={36} decorative />
      ) : (
        <ProgressRing completion={completion} size={56}>
          <RankBelt rank={next} size={36} decorative />
        </ProgressRing>
      )}
      <div>
        <p className={`${kit.strong} ${styles.text}`}>
          Next: {rankName(next)}
          {completion !== null && ` · ${formatPercent(completion * 100)}`}
        </p>
        <MissingRequirements progress={progress} />
      </div>
    </div>
  )
}

function MissingRequirements({ progress }: { progress: RankProgress }) {
  const { missing, instructor_decides } = progress
  const isInstructor = isStaff(useCurrentUser())
  const earliestDay = findEarliestDay(progress)
  if (instructor_decides)
    return (
      <p className={`${kit.note} ${styles.text}`}>
        {isInstructor
          ? 'No requirements. You decide when.'
          : 'Your instructor decides when it’s time.'}
      </p>
    )
  if (missing.length === 0)
    return <p className={`${kit.green} ${styles.text}`}>All requirements met</p>
  return (
    <p className={`${kit.orange} ${styles.text}`}>
      Missing: {describeMissing(missing)}
      {earliestDay && <span className={kit.note}> (not before {formatDate(earliestDay)})</span>}
    </p>
  )
}
