import type { LadderTemplate, Rank } from '@tatami/contract/belts/belts'
import { pluralize } from '../lib/text.ts'
import { RankBelt } from '../ui/rank-belt.tsx'
import styles from './rank-rows.module.css'
import { describeRequirements, toShownRank } from './rank-text.ts'
import kit from '../ui/kit.module.css'

type Props = { label: string; ranks: readonly (Rank | LadderTemplate['ranks'][number])[] }

export const RankRows = ({ label, ranks }: Props) => (
  <ol className={`${kit.hairlines} ${styles.ranks}`} aria-label={label}>
    {ranks.map((rank) => (
      <li key={'id' in rank ? rank.id : rank.name} className={styles.rank}>
        <RankBelt rank={toShownRank(rank)} level={rank.belt_level} size={48} decorative />
        <span className={styles.labels}>
          <span className={kit.strong}>{rank.name}</span>
          {describeRequirements(rank) && (
            <span className={kit.note}>{describeRequirements(rank)}</span>
          )}
        </span>
        {'students' in rank && rank.students > 0 && (
          <span className={`${kit.note} ${styles.students}`}>
            {pluralize(rank.students, 'student')}
          </span>
        )}
      </li>
    ))}
  </ol>
)

export const BeltStrip = ({ ranks }: Pick<Props, 'ranks'>) => (
  <span className={styles.strip} aria-hidden>
    {ranks.map((rank) => (
      <RankBelt
        key={rank.name}
        rank={toShownRank(rank)}
        level={rank.belt_level}
        size={32}
        decorative
      />
    ))}
  </span>
)
