import { IconAlertTriangle, IconArrowRight, IconCheck, IconHelpCircle, IconHourglassEmpty, IconMinus, type Icon } from '@tabler/icons-react'
import type { Counts } from '@tatami/contract/text-history'
import styles from './delivery-progress.module.css'
import { type TextFate, countedFates, fateWords, leftQueue } from './text-status.ts'

const ICONS: Record<TextFate, Icon> = {
  delivered: IconCheck,
  on_its_way: IconArrowRight,
  waiting: IconHourglassEmpty,
  failed: IconAlertTriangle,
  uncertain: IconHelpCircle,
  skipped: IconMinus,
}

/** Beside the word that says the same. */
export function FateIcon({ fate, size = 16 }: { fate: TextFate; size?: number }) {
  const Shown = ICONS[fate]
  return <Shown size={size} stroke={2} aria-hidden data-fate={fate} className={styles.icon} />
}

/** "36 delivered", "2 failed" … each with its icon; in words as well where nobody is left to count. */
export function FateCounts({ counts }: { counts: Counts }) {
  const counted = countedFates(counts)
  if (counted.length === 0) return <p className={styles.nobody}>Nobody to show: it had no recipients, or they have left the dojo.</p>
  return (
    <ul className={styles.counts}>
      {counted.map(([fate, count]) => (
        <li key={fate} data-fate={fate}>
          <FateIcon fate={fate} />
          {fateWords(fate, count)}
        </li>
      ))}
    </ul>
  )
}

/** The queue of a sending, running down. Nothing once it is empty. */
export function SendingProgress({ counts, name }: { counts: Counts; name: string }) {
  const { left, all } = leftQueue(counts)
  if (left === all) return null
  const words = `${left} of ${all} texts have left`
  return (
    <div className={styles.progress}>
      <div
        role="progressbar"
        aria-label={`Sending ${name}`}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={left}
        aria-valuetext={words}
        className={styles.track}
      >
        <div className={styles.bar} style={{ inlineSize: `${(100 * left) / all}%` }} />
      </div>
      <span>{words}</span>
    </div>
  )
}
