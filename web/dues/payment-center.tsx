import type { Month } from '@tatami/contract/lib/calendar-day'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { thisMonth } from '../lib/month.ts'
import { PaymentOverview } from './payment-overview.tsx'
import { ResultBanner, type Result, useResult } from '../texting/result-banner.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'

const BulkMessageDialog = lazyComponent(() =>
  import('../texting/bulk-message-dialog.tsx').then((module) => module.BulkMessageDialog),
)

const FIRST_YEAR = 2024

/** The payments, and the reminder of those that are late: sending stands above the payments. */
export function PaymentCenter() {
  const [lateFee, setLateFee] = useState<Month | null>(() =>
    drafts.subjectOf('message') === undefined ? null : thisMonth(),
  )
  const { result, show } = useResult()
  const close = () => setLateFee(null)
  const onSent = (sent: Result) => {
    close()
    show(sent)
  }
  return (
    <>
      <PaymentOverview onLateFee={setLateFee} banner={<ResultBanner result={result} />} />
      {lateFee && (
        <BulkMessageDialog
          type="late_fee"
          month={lateFee}
          firstYear={FIRST_YEAR}
          onClose={close}
          onSent={onSent}
        />
      )}
    </>
  )
}
