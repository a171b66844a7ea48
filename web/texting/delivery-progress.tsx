import {
  IconAlertTriangle,
  IconArrowRight,
  IconCheck,
  IconHelpCircle,
  IconHourglassEmpty,
  IconMinus,
  IconTestPipe,
  type Icon,
} from '@tabler/icons-react'
import type { Counts, TextState } from '@tatami/contract/texting/text-history'
import styles from './delivery-progress.module.css'
import {
  type DeliveryStatus,
  countByStatus,
  formatStatusCount,
  measureQueueProgress,
  STATUS_LABELS,
  toDeliveryStatus,
  toDisplayedStatus,
} from './text-status.ts'
import { useTestMode } from './text-service.ts'
import kit from '../ui/kit.module.css'

const ICONS: Record<DeliveryStatus, Icon> = {
  delivered: IconCheck,
  simulated: IconTestPipe,
  on_its_way: IconArrowRight,
  waiting: IconHourglassEmpty,
  failed: IconAlertTriangle,
  uncertain: IconHelpCircle,
  skipped: IconMinus,
}

export function StatusIcon({ status, size = 16 }: { status: DeliveryStatus; size?: number }) {
  const IconComponent = ICONS[status]
  return (
    <IconComponent
      size={size}
      stroke={2}
      aria-hidden
      data-status={status}
      className={styles.icon}
    />
  )
}

export function TextStatus({ state }: { state: TextState }) {
  const status = toDisplayedStatus(toDeliveryStatus(state), useTestMode())
  return (
    <span className={kit.inline}>
      <StatusIcon status={status} />
      {STATUS_LABELS[status]}
    </span>
  )
}

export function StatusCounts({ counts }: { counts: Counts }) {
  const isTestMode = useTestMode()
  const visibleCounts = countByStatus(counts).map(
    ([status, count]) => [toDisplayedStatus(status, isTestMode), count] as const,
  )
  if (visibleCounts.length === 0)
    return <p className={kit.note}>No recipients, or all of them have left the dojo.</p>
  return (
    <ul className={`${kit.wrap} ${styles.counts}`}>
      {visibleCounts.map(([status, count]) => (
        <li key={status} className={kit.inline} data-status={status}>
          <StatusIcon status={status} />
          {formatStatusCount(status, count)}
        </li>
      ))}
    </ul>
  )
}

export function SendingProgress({ counts, name }: { counts: Counts; name: string }) {
  const { sentCount, sendableCount } = measureQueueProgress(counts)
  if (sentCount === sendableCount) return null
  const progressText = `${sentCount} of ${sendableCount} texts sent`
  return (
    <div className={`${kit.lines} ${kit.note}`}>
      <div
        role="progressbar"
        aria-label={`Sending ${name}`}
        aria-valuemin={0}
        aria-valuemax={sendableCount}
        aria-valuenow={sentCount}
        aria-valuetext={progressText}
        className={styles.track}
      >
        <div
          className={styles.bar}
          style={{ inlineSize: `${(100 * sentCount) / sendableCount}%` }}
        />
      </div>
      <span>{progressText}</span>
    </div>
  )
}
