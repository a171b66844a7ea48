import type { Month } from '@tatami/contract/lib/calendar-day'
import { ActionIcon, Button } from '@mantine/core'
import { IconChevronDown, IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { afterHistorySettles } from '../lib/dialog-history.ts'
import { formatMonth } from '../lib/month.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ListCount } from './list-count.tsx'
import type { ListFilterState } from './list-filter.ts'
import styles from './month-bar.module.css'
import type { PaymentAction } from './payment-actions.tsx'
import type { PaymentsDownload } from './payment-download.ts'
import type { Payments } from './use-payments.ts'
import type { PaymentView } from './view-switch.tsx'
import kit from '../ui/kit.module.css'

const MonthSheet = lazyComponent(() => import('./month-sheet.tsx'), 'MonthSheet')
const PaymentOptionsSheet = lazyComponent(
  () => import('./payment-options-sheet.tsx'),
  'PaymentOptionsSheet',
)

type Props = {
  month: Month
  payments: Payments
  listFilter: ListFilterState
  view: PaymentView
  download: PaymentsDownload
  onMonthChange: (month: Month) => void
  onViewChange: (view: PaymentView) => void
  onOpen: (action: PaymentAction) => void
}

/** On a phone, one row above the list: the month, the number of students listed, and More. */
export function MonthBar({ month, payments, listFilter, view, download, ...handlers }: Props) {
  const [openSheet, setOpenSheet] = useState<'month' | 'options' | null>(null)
  const close = () => setOpenSheet(null)
  // An open sheet has its own history entry. The URL changes in the entry below it.
  const closeAndChangeUrl = (changeUrl: () => void) => {
    flushSync(close)
    afterHistorySettles(changeUrl)
  }
  return (
    <div className={`${kit.line} ${styles.bar}`}>
      <Button
        variant="default"
        size="sm"
        aria-haspopup="dialog"
        rightSection={<IconChevronDown size={18} aria-hidden />}
        onClick={() => setOpenSheet('month')}
        {...MonthSheet.preloadOnHover}
      >
        {formatMonth(month)}
      </Button>
      <ListCount payments={payments} listFilter={listFilter} />
      <ActionIcon
        variant="default"
        size={44}
        aria-label="More"
        aria-haspopup="dialog"
        onClick={() => setOpenSheet('options')}
        {...PaymentOptionsSheet.preloadOnHover}
      >
        <IconDots size={20} />
      </ActionIcon>
      {openSheet === 'month' && (
        <MonthSheet
          month={month}
          onChange={(newMonth) => closeAndChangeUrl(() => handlers.onMonthChange(newMonth))}
          onClose={close}
        />
      )}
      {openSheet === 'options' && (
        <PaymentOptionsSheet
          {...{ view, download }}
          onViewChange={(newView) => closeAndChangeUrl(() => handlers.onViewChange(newView))}
          onOpen={(action) => {
            close()
            handlers.onOpen(action)
          }}
          onClose={close}
        />
      )}
    </div>
  )
}
