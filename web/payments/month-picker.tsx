import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type Month, MONTHS } from './month.ts'
import styles from './month-picker.module.css'

/** Slides the row of months so that the chosen one stands in its middle. */
function bringIntoView(button: HTMLButtonElement | null) {
  const row = button?.parentElement
  if (button && row) row.scrollLeft = button.offsetLeft - (row.clientWidth - button.clientWidth) / 2
}

/** January to December, and arrows for the year. On a phone the months are one row that slides, the chosen one in view. */
export function MonthPicker({ value, onChange }: { value: Month; onChange: (month: Month) => void }) {
  const step = (years: number) => onChange({ ...value, year: value.year + years })
  return (
    <div role="group" aria-label="Month" className={styles.picker}>
      <div className={styles.year}>
        <ActionIcon variant="subtle" size="xl" aria-label="Previous year" onClick={() => step(-1)} disabled={value.year <= 2000}><IconChevronLeft size={20} /></ActionIcon>
        <span aria-live="polite" className={styles.number}>{value.year}</span>
        <ActionIcon variant="subtle" size="xl" aria-label="Next year" onClick={() => step(1)} disabled={value.year >= 2199}><IconChevronRight size={20} /></ActionIcon>
      </div>
      <div className={styles.months}>
        {MONTHS.map((name, month) => (
          <button key={name} ref={month === value.month ? bringIntoView : undefined} type="button" aria-pressed={month === value.month} className={styles.month} onClick={() => onChange({ ...value, month })}>{name}</button>
        ))}
      </div>
    </div>
  )
}
