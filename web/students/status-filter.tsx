import type { StudentFilter } from '@tatami/contract/students'
import styles from './status-filter.module.css'

const CHOICES: { value: StudentFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'trial', label: 'Trial' },
  { value: 'regular', label: 'Regular' },
  { value: 'vacation', label: 'Students on Vacation' },
]

/** Radio buttons side by side. */
export const StatusFilter = ({ value, onChange }: { value: StudentFilter; onChange: (chosen: StudentFilter) => void }) => (
  <div role="radiogroup" aria-label="Status" className={styles.filter}>
    {CHOICES.map((choice) => (
      <label key={choice.value} className={styles.choice}>
        <input type="radio" name="status" value={choice.value} checked={choice.value === value} className={styles.radio}
          onChange={() => onChange(choice.value)} />
        {choice.label}
      </label>
    ))}
  </div>
)
