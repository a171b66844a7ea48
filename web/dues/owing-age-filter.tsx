import type { OwingFamily } from '@tatami/contract/dues/owing'
import { formatMoney } from '@tatami/contract/lib/money'
import { today } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './owing-age-filter.module.css'
import { type DebtAge, sumByAge } from './owing-ages.ts'
import kit from '../ui/kit.module.css'

type Props = {
  families: readonly OwingFamily[]
  selectedAge: DebtAge | null
  onSelect: (age: DebtAge | null) => void
}

/** What is past due, by age of the debt. Selecting an age lists only its families. */
export const OwingAgeFilter = ({ families, selectedAge, onSelect }: Props) => (
  <div role="group" aria-label="Past due by age" className={styles.ages}>
    {sumByAge(families, today()).map(({ key, label, count, total }) => (
      <button
        key={key}
        type="button"
        className={`${kit.card} ${styles.age}`}
        aria-pressed={key === selectedAge}
        disabled={count === 0 && key !== selectedAge}
        onClick={() => onSelect(key === selectedAge ? null : key)}
      >
        <span className={styles.total}>{formatMoney(total)}</span>{' '}
        <span className={styles.label}>{label}</span>
        <VisuallyHidden>{` (${pluralize(count, 'family', 'families')})`}</VisuallyHidden>
      </button>
    ))}
  </div>
)
