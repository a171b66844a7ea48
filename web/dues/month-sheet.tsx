import type { Month } from '@tatami/contract/lib/calendar-day'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { Sheet } from '../ui/sheet.tsx'
import { MonthPicker, YearSwitch } from './month-picker.tsx'
import styles from './month-picker.module.css'

type Props = { month: Month; onChange: (month: Month) => void; onClose: () => void }

/** Changing the year only changes which months are shown. Tapping a month selects it and closes
 *  the sheet. */
export function MonthSheet({ month, onChange, onClose }: Props) {
  const [shownMonth, setShownMonth] = useState(month)
  return (
    <Sheet opened onClose={onClose} title="Month" size="small">
      <Stack gap="md" className={styles.sheet}>
        <YearSwitch value={shownMonth} onChange={setShownMonth} />
        <MonthPicker
          value={shownMonth}
          pressedMonth={shownMonth.year === month.year ? month.month : null}
          onChange={onChange}
        />
      </Stack>
    </Sheet>
  )
}
