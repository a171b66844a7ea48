import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { FIRST_YEAR, LAST_YEAR } from '@tatami/contract/fields'
import type { Month } from '@tatami/contract/month'
import styles from './month-picker.module.css'
import { MONTHS } from '../lib/month.ts'

type Props = { value: Month; onChange: (month: Month) => void }

/** Slides the row of months so that the chosen one stands in its middle. */
function bringIntoView(button: HTMLButtonElement | null) {
  const row = button?.parentElement
  if (button && row) row.scrollLeft = button.offsetLeft - (row.clientWidth - button.clientWidth) / 2
}

/** The arrows for the year. */
export function YearSwitch({ value, onChange }: Props) {
  const step = (years: number) => onChange({ ...value, year: value.year + years })
  return (
    <div role="group" aria-label="Year" className={styles.year}>
      <ActionIcon variant="subtle" size="xl" aria-label="Previous year" onClick={() => step(-1)} disabled={value.year <= FIRST_YEAR}>
        <IconChevronLeft size={20} />
      </ActionIcon>
      <span aria-live="polite" className={styles.number}>
        {value.year}
      </span>
      <ActionIcon variant="subtle" size="xl" aria-label="Next year" onClick={() => step(1)} disabled={value.year >= LAST_YEAR}>
        <IconChevronRight size={20} />
      </ActionIcon>
    </div>
  )
}

/** January to December. On a phone they are one row that slides, the chosen one in view. */
export const MonthPicker = ({ value, onChange }: Props) => (
  <div role="group" aria-label="Month" className={styles.months}>
    {MONTHS.map((name, month) => (
      <button
        key={name}
        ref={month === value.month ? bringIntoView : undefined}
        type="button"
        aria-pressed={month === value.month}
        className={styles.month}
        onClick={() => onChange({ ...value, month })}
      >
        {name}
      </button>
    ))}
  </div>
)
