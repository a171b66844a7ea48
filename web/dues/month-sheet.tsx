import type { Month } from '@tatami/contract/lib/calendar-day'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { Sheet } from '../ui/sheet.tsx'
import { MonthPicker, YearSwitch } from './month-picker.tsx'
import styles from './month-picker.module.css'

type Props = { month: Month; onChange: (month: Month) => void; onClose: () => void }

/** Changing the year selects nothing yet. Tapping a month selects it and closes the sheet. */
export function MonthSheet({ month, onChange, onClose }: Props) {
  const [viewedMonth, setViewedMonth] = useState(month)
  return (
    <Sheet opened onClose={onClose} title="Month" size="small">
      <Stack gap="md" className={styles.sheet}>
        <YearSwitch value={viewedMonth} onChange={setViewedMonth} />
        <MonthPicker
          value={viewedMonth}
          pressedMonth={viewedMonth.year === month.year ? month.month : null}
          onChange={onChange}
        />
      </Stack>
    </Sheet>
  )
}
