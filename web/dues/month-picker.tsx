import { MONTHS, monthKey, type Month } from '@tatami/contract/lib/calendar-day'
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { MIN_YEAR, MAX_YEAR } from '@tatami/contract/lib/fields'
import { useMemo } from 'react'
import { thisMonth } from '../lib/month.ts'
import { useUrlQuery } from '../lib/url-query.ts'
import styles from './month-picker.module.css'
import kit from '../ui/kit.module.css'

type Props = { value: Month; onChange: (month: Month) => void }

/** Waits for the next frame, so that reading positions does not force an extra layout. */
const scrollToCenter = (button: HTMLButtonElement | null) =>
  void requestAnimationFrame(() => {
    const row = button?.parentElement
    if (button && row)
      row.scrollLeft = button.offsetLeft - (row.clientWidth - button.clientWidth) / 2
  })

export function YearSwitch({ value, onChange }: Props) {
  const changeYear = (years: number) => onChange({ ...value, year: value.year + years })
  return (
    <div role="group" aria-label="Year" className={styles.yearSwitch}>
      <ActionIcon
        variant="subtle"
        size="xl"
        aria-label="Previous year"
        onClick={() => changeYear(-1)}
        disabled={value.year <= MIN_YEAR}
      >
        <IconChevronLeft size={20} />
      </ActionIcon>
      <span aria-live="polite" className={styles.yearNumber}>
        {value.year}
      </span>
      <ActionIcon
        variant="subtle"
        size="xl"
        aria-label="Next year"
        onClick={() => changeYear(1)}
        disabled={value.year >= MAX_YEAR}
      >
        <IconChevronRight size={20} />
      </ActionIcon>
    </div>
  )
}

/** `pressedMonth` is null while the user looks at a year other than that of the selected month. */
export const MonthPicker = ({
  value,
  pressedMonth = value.month,
  onChange,
}: Props & { pressedMonth?: number | null }) => (
  <div role="group" aria-label="Month" className={styles.months}>
    {MONTHS.map((name, month) => (
      <button
        key={name}
        ref={month === pressedMonth ? scrollToCenter : undefined}
        type="button"
        aria-pressed={month === pressedMonth}
        className={styles.monthButton}
        onClick={() => onChange({ ...value, month })}
      >
        {name}
      </button>
    ))}
  </div>
)

/** The year and all months in one row, for wide screens. */
export const MonthRow = (props: Props) => (
  <div className={`${kit.row} ${styles.row}`}>
    <YearSwitch {...props} />
    <MonthPicker {...props} />
  </div>
)

/** Parses "2026-11" from the URL. */
function parseMonthParam(param: string | null): Month | undefined {
  const match = /^(\d{4})-(\d\d)$/.exec(param ?? '')
  const year = Number(match?.[1])
  const month = Number(match?.[2]) - 1
  const isValid = month >= 0 && month < 12 && year >= MIN_YEAR && year <= MAX_YEAR
  return isValid ? { month, year } : undefined
}

export function useMonth() {
  const [query, changeQuery] = useUrlQuery()
  const currentMonth = thisMonth()
  const key = monthKey(parseMonthParam(query.get('month')) ?? currentMonth)
  const month = useMemo(() => parseMonthParam(key) ?? thisMonth(), [key])
  const setMonth = (newMonth: Month) => {
    const newKey = monthKey(newMonth)
    changeQuery({ month: newKey === monthKey(currentMonth) ? '' : newKey })
  }
  return [month, setMonth] as const
}
