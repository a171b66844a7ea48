import { IconCheck } from '@tabler/icons-react'
import { CLASS_DAYS_HINT, daysText, WEEKDAYS, type Weekday } from '@tatami/contract/classes'
import { useId, type ReactNode } from 'react'
import styles from './day-toggles.module.css'

type Props = { value?: Weekday[]; onChange: (days: Weekday[]) => void; error?: ReactNode; 'data-path'?: string }

const counted = (days: number) => (days === 7 ? 'Every day' : days === 1 ? '1 day a week' : `${days} days a week`)

/** The seven days in full, each switched on and off. While none is chosen it says what is needed; red once that was overlooked. */
export function DayToggles({ value = [], onChange, error, 'data-path': path }: Props) {
  const hint = useId()
  const toggle = (day: Weekday) => onChange(value.includes(day) ? value.filter((chosen) => chosen !== day) : [...value, day])
  return (
    <fieldset className={styles.field} aria-describedby={hint}>
      <legend className={styles.legend}>
        Class days{' '}
        <span aria-hidden className={styles.star}>
          *
        </span>
      </legend>
      <p id={hint} className={styles.hint} data-wrong={Boolean(error)} role={error ? 'alert' : undefined}>
        {value.length === 0 ? CLASS_DAYS_HINT : counted(value.length)}
      </p>
      <div className={styles.days}>
        {WEEKDAYS.map((day, index) => (
          <label key={day} className={styles.day}>
            <input
              type="checkbox"
              className={styles.box}
              checked={value.includes(day)}
              onChange={() => toggle(day)}
              data-path={index === 0 ? path : undefined}
            />
            <span className={styles.mark}>
              <IconCheck size={14} stroke={3} aria-hidden />
            </span>
            {daysText({ class_days: [day] })}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
