import { Skeleton, UnstyledButton } from '@mantine/core'
import { IconCircleCheck, IconClockPause, IconUsers } from '@tabler/icons-react'
import type { Reply } from '@tatami/contract/endpoint'
import type { SenseiFilter, senseiApi } from '@tatami/contract/sensei'
import classes from './stat-cards.module.css'

const CARDS = [
  { filter: 'all', word: 'Total', count: 'total_sensei', icon: IconUsers },
  { filter: 'active', word: 'Active', count: 'active_sensei', icon: IconCircleCheck },
  { filter: 'inactive', word: 'Inactive', count: 'inactive_sensei', icon: IconClockPause },
] as const

type Props = { stats: Reply<typeof senseiApi.stats> | undefined; filter: SenseiFilter; onFilter: (filter: SenseiFilter) => void }

/** How many there are; each number shows whom it counts. */
export const StatCards = ({ stats, filter, onFilter }: Props) => (
  <div className={classes.cards} role="group" aria-label="Sensei shown">
    {CARDS.map(({ filter: own, word, count, icon: Icon }) => (
      <UnstyledButton key={own} className={classes.card} data-kind={own} aria-pressed={filter === own} onClick={() => onFilter(own)}>
        <span className={classes.word}>
          <Icon size={20} stroke={1.5} aria-hidden />
          {word}
        </span>
        {stats ? (
          <span className={classes.count}>{stats[count]}</span>
        ) : (
          <Skeleton className={classes.count} width="2ch">
            &nbsp;
          </Skeleton>
        )}
      </UnstyledButton>
    ))}
  </div>
)
