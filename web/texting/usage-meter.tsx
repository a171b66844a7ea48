import { IconAlertTriangle, IconClock, type Icon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { LIMIT_REACHED } from '@tatami/contract/texting/message-types'
import type { DailyUsage } from '@tatami/contract/texting/texting'
import styles from './usage-meter.module.css'
import { chooseBarTone, type Tone, chooseTextTone, usageQuery, useUsage } from './usage.ts'
import kit from '../ui/kit.module.css'

const POLL_MS = 60_000

const ICONS: Record<Tone, Icon> = {
  green: IconClock,
  orange: IconAlertTriangle,
  red: IconAlertTriangle,
}

function describeUsage(usage: DailyUsage): string {
  if (usage.limit_reached) return LIMIT_REACHED
  if (chooseTextTone(usage) === 'orange') return 'Few texts remain today.'
  return chooseBarTone(usage) === 'orange'
    ? 'Most of today’s texts are used.'
    : 'The count resets at midnight UTC.'
}

export function UsageMeter() {
  const { isPending, isError, data } = useQuery({ ...usageQuery, refetchInterval: POLL_MS })
  const usage = useUsage()
  const hasFailed = isError && !data
  const { message_count, daily_limit, remaining_messages } = usage
  const usedText = `${message_count.toLocaleString()} of ${daily_limit.toLocaleString()} used`
  const ToneIcon = ICONS[chooseTextTone(usage)]
  return (
    <div className={`${kit.stackTight} ${styles.meter}`} data-waiting={isPending}>
      <div className={kit.spread}>
        <strong className={`${kit.titleLarge} ${kit.strong}`}>{usedText}</strong>
        <span className={`${kit.strong} ${styles.remaining}`} data-tone={chooseTextTone(usage)}>
          {remaining_messages.toLocaleString()} remaining
        </span>
      </div>
      <div
        role="meter"
        aria-label="Texts used today"
        aria-valuemin={0}
        aria-valuemax={daily_limit}
        aria-valuenow={Math.min(message_count, daily_limit)}
        aria-valuetext={usedText}
        className={styles.track}
      >
        <div
          className={styles.bar}
          data-tone={chooseBarTone(usage)}
          style={{ width: `${Math.min(100, (100 * message_count) / daily_limit)}%` }}
        />
      </div>
      <p className={`${kit.note} ${styles.note}`} data-tone={chooseTextTone(usage)} role="status">
        <ToneIcon size={20} aria-hidden />
        {!isPending && (hasFailed ? 'Today’s count could not be loaded.' : describeUsage(usage))}
      </p>
    </div>
  )
}
