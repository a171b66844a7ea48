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

/** Buttons with the total owed for each age of charge. Selecting an age lists only the families
 *  with a charge of that age. Charges that are not past due yet have a separate button. */
export const OwingAgeFilter = ({ families, selectedAge, onSelect }: Props) => (
  <div role="group" aria-label="Past due by age" className={styles.ages}>
    {listAges(families, selectedAge).map(({ key, label, count, total }) => (
      <button
        key={key}
        type="button"
        className={`${kit.card} ${styles.age}`}
        data-age={key}
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

const listAges = (families: readonly OwingFamily[], selectedAge: DebtAge | null) =>
  sumByAge(families, today()).filter(
    ({ key, count }) => key !== 'not-due' || count > 0 || key === selectedAge,
  )
