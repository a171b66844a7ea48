import type { Month } from '@tatami/contract/lib/calendar-day'
import { isPaying } from '@tatami/contract/dues/payments'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { drafts } from '../lib/drafts.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { formatMonth } from '../lib/month.ts'
import { PAYMENT_DRAFT } from '../lib/student-drafts.ts'
import { useUrlChoice } from '../lib/url-query.ts'
import { type SendResult, ResultBanner, useSendResult } from '../texting/result-banner.tsx'
import { DownloadCsv } from '../ui/download-csv.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useListFilter } from './list-filter.ts'
import { MonthBar } from './month-bar.tsx'
import { MonthRow, useMonth } from './month-picker.tsx'
import { type PaymentAction, PaymentActions } from './payment-actions.tsx'
import styles from './payment-center.module.css'
import { findPaymentsDownload } from './payment-download.ts'
import { PaymentSection } from './payment-section.tsx'
import { PaymentTiles } from './payment-tiles.tsx'
import type { LedgerNotice } from './undo-bar.tsx'
import { findMonthStatus, type Payments, usePayments } from './use-payments.ts'
import { PAYMENT_VIEWS, PaymentViewSwitch } from './view-switch.tsx'
import kit from '../ui/kit.module.css'

const BulkMessageDialog = lazyComponent(
  () => import('../texting/bulk-message-dialog.tsx'),
  'BulkMessageDialog',
)
const LedgerUndoBar = lazyComponent(() => import('./undo-bar.tsx'), 'LedgerUndoBar')
const ResetDialog = lazyComponent(() => import('./reset-dialog.tsx'), 'ResetDialog')
const PaymentDialog = lazyComponent(() => import('./payment-dialog.tsx'), 'PaymentDialog')

/** `isForMonth` means that the payment dialog was opened to pay the selected month. */
type OpenDialog = PaymentAction | { studentId: string; isForMonth: boolean } | null

function findDialogWithDraft(): OpenDialog {
  const studentId = drafts.subjectOf(PAYMENT_DRAFT)
  if (studentId !== undefined) return { studentId, isForMonth: false }
  return drafts.subjectOf('message') === undefined ? null : 'late_fee'
}

const countNothingDue = ({ students, getStudentMonth }: Payments) =>
  students.filter(
    (student) => isPaying(student) && getStudentMonth(student).state === 'nothing_due',
  ).length

export function PaymentCenter() {
  const isDesktop = useLayout() === 'desktop'
  const [month, setMonth] = useMonth()
  const [view, setView] = useUrlChoice('view', PAYMENT_VIEWS)
  const [openDialog, setOpenDialog] = useState(findDialogWithDraft)
  const [notice, setNotice] = useState<LedgerNotice | null>(null)
  const { result, show: showResult } = useSendResult()
  const payments = usePayments(month)
  const listFilter = useListFilter(payments, month)
  const download = findPaymentsDownload(month, payments, listFilter)
  const list = { month, payments, listFilter }
  return (
    <Stack gap={isDesktop ? 'md' : 'xs'}>
      <PageHeader title="Payment Center" subtitle={isDesktop && formatMonth(month)}>
        {isDesktop && <PaymentActions onOpen={setOpenDialog} />}
      </PageHeader>
      {isDesktop ? (
        <MonthRow value={month} onChange={setMonth} />
      ) : (
        <MonthBar
          {...{ ...list, view, download }}
          onMonthChange={setMonth}
          onViewChange={setView}
          onOpen={setOpenDialog}
        />
      )}
      <WithRight right="money.see">
        <PaymentTiles
          statistics={payments.statistics}
          nothingDueCount={countNothingDue(payments)}
          isUnconfirmed={payments.onRetryRecords !== undefined}
          filter={listFilter.filter}
          onFilter={listFilter.setFilter}
        />
      </WithRight>
      <ResultBanner result={result} />
      <PaymentSection
        {...{ ...list, view }}
        viewSwitch={
          <div className={`${kit.row} ${styles.view}`}>
            <PaymentViewSwitch view={view} onChange={setView} />
            {download && <DownloadCsv {...download} />}
          </div>
        }
        onOpen={({ id }, { isForMonth }) => setOpenDialog({ studentId: id, isForMonth })}
        onPreload={() => {
          LedgerUndoBar.preload()
          PaymentDialog.preload()
        }}
        onMarked={setNotice}
      />
      {notice && (
        <LedgerUndoBar key={notice.actId} notice={notice} onDismiss={() => setNotice(null)} />
      )}
      <OpenPaymentDialog
        {...{ openDialog, month, payments }}
        onClose={() => setOpenDialog(null)}
        onDone={setNotice}
        onSent={showResult}
      />
    </Stack>
  )
}

/** From the specification. The Message Center also offers the year before. */
const FIRST_REMINDER_YEAR = 2024

type DialogProps = {
  openDialog: OpenDialog
  month: Month
  payments: Payments
  onClose: () => void
  onDone: (notice: LedgerNotice) => void
  onSent: (result: SendResult) => void
}

function OpenPaymentDialog(props: DialogProps) {
  const { openDialog, month, payments, onClose, onDone, onSent } = props
  if (openDialog === null) return null
  if (openDialog === 'reset')
    return (
      <ResetDialog
        month={month}
        payments={payments.resettable}
        onClose={onClose}
        onReset={onDone}
      />
    )
  if (openDialog === 'late_fee')
    return (
      <BulkMessageDialog
        type="late_fee"
        month={month}
        firstYear={FIRST_REMINDER_YEAR}
        onClose={onClose}
        onSent={(result) => {
          onClose()
          onSent(result)
        }}
      />
    )
  const student = payments.students.find(({ id }) => id === openDialog.studentId)
  if (!student) return null
  const studentMonth = payments.getStudentMonth(student)
  return (
    <PaymentDialog
      key={student.id}
      student={student}
      month={month}
      price={studentMonth.price?.amount}
      monthStatus={findMonthStatus(studentMonth)}
      isForMonth={openDialog.isForMonth}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
