import { Stack, UnstyledButton } from '@mantine/core'
import { type FamilyPayment, receiptsApi } from '@tatami/contract/bookkeeping/receipts'
import { chargeName } from '@tatami/contract/ledger/charge-words'
import { formatMoney } from '@tatami/contract/lib/money'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { formatDate } from '../lib/dates.ts'
import { LayoutLink, useOpenPage } from '../lib/layout-link.tsx'
import { receiptPath } from '../lib/paths.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './receipts.module.css'
import { useYear, YearSelect } from './year-select.tsx'

/** Lists the payments of the family. Opening a payment without a receipt creates one. */
export function FamilyReceipts() {
  const [year, setYear] = useYear()
  const payments = useRetryingQuery(endpointQuery(receiptsApi.payments, { query: { year } }))
  return (
    <Stack gap="md">
      <PageHeader title="Receipts" subtitle="For your payments. Open one to see its receipt." />
      <YearSelect value={year} onChange={setYear} />
      {payments.data ? (
        <Payments key={year} payments={payments.data} year={year} />
      ) : (
        <Loading query={payments} error="The payments could not be loaded.">
          <Skeletons count={6} height={64} label="Loading the payments..." />
        </Loading>
      )}
    </Stack>
  )
}

function Payments({ payments, year }: { payments: FamilyPayment[]; year: number }) {
  const openPage = useOpenPage()
  const [openedPayment, setOpenedPayment] = useState<FamilyPayment | null>(null)
  const issue = useEndpointMutation(receiptsApi.issue, {
    refreshes: [receiptsApi.payments],
    onSuccess: ({ id }) => openPage(receiptPath(id)),
  })
  const openReceipt = (payment: FamilyPayment) => {
    if (issue.isPending) return
    setOpenedPayment(payment)
    const { act_id, student_id } = payment
    issue.mutate({ body: { act_id, ...(student_id !== null && { student_id }) } })
  }
  if (payments.length === 0) return <EmptyState>No payments in {year}</EmptyState>
  return (
    <>
      <ErrorNotice>
        {failureMessage(issue, 'The receipt could not be opened. Please try again.')}
      </ErrorNotice>
      <ol className={styles.list}>
        {payments.map((payment) => (
          <li key={payment.receipt?.id ?? `${payment.act_id} ${payment.student_id}`}>
            <Payment
              payment={payment}
              isOpening={issue.isPending && payment === openedPayment}
              onOpen={() => openReceipt(payment)}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

type PaymentProps = { payment: FamilyPayment; isOpening: boolean; onOpen: () => void }

function Payment({ payment, isOpening, onOpen }: PaymentProps) {
  const { receipt } = payment
  const className = `${kit.row} ${styles.row}`
  if (receipt)
    return (
      <LayoutLink to={receiptPath(receipt.id)} className={className}>
        <PaymentDetails payment={payment} label={receipt.number} />
      </LayoutLink>
    )
  return (
    <UnstyledButton className={`${className} ${styles.button}`} onClick={onOpen}>
      <PaymentDetails payment={payment} label={isOpening ? 'Opening...' : 'Get receipt'} />
    </UnstyledButton>
  )
}

type DetailsProps = {
  payment: FamilyPayment
  /** The number of the receipt, or what opening the payment does. */
  label: string
}

const PaymentDetails = ({ payment, label }: DetailsProps) => (
  <>
    <span className={styles.number}>{label}</span>
    <span className={styles.payer}>
      {describeStudents(payment)}
      <span className={`${kit.facts} ${kit.note}`}>
        <span>{describeCharges(payment)}</span> <span>{formatDate(payment.received_on)}</span>
      </span>
    </span>
    {payment.cancelled_on && <Badge tone="red">Canceled</Badge>}
    <span className={styles.total}>{formatMoney(payment.total)}</span>
  </>
)

const describeStudents = ({ lines }: FamilyPayment) =>
  joinNonEmpty([...new Set(lines.map(({ student_name }) => student_name))], ', ')

const describeCharges = ({ lines }: FamilyPayment) =>
  joinNonEmpty([...new Set(lines.map((line) => chargeName(line, schoolBeltTestName())))], ', ')
