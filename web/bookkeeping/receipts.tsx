import { formatMoney } from '@tatami/contract/lib/money'
import { Stack } from '@mantine/core'
import { type Receipt, receiptsApi } from '@tatami/contract/bookkeeping/receipts'
import { isStaff, useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { receiptPath } from '../lib/paths.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { FamilyReceipts } from './family-receipts.tsx'
import { MoneySwitch } from '../dues/money-switch.tsx'
import styles from './receipts.module.css'
import { useYear, YearSelect } from './year-select.tsx'
import kit from '../ui/kit.module.css'

const PAGE_SIZE = 50
export const FORMER_MEMBER = 'Former member'

export const Receipts = () => (isStaff(useCurrentUser()) ? <SchoolReceipts /> : <FamilyReceipts />)

function SchoolReceipts() {
  const [year, setYear] = useYear()
  const list = usePagedQuery(receiptsApi.list, { limit: PAGE_SIZE, filter: { year } })
  const receipts = list.rows
  return (
    <Stack gap="md">
      <MoneySwitch />
      <PageHeader
        title="Receipts"
        subtitle="Numbered by year. To make a new one, open the payment on the student’s page."
      />
      <YearSelect value={year} onChange={setYear} />
      {!receipts && !list.isError && (
        <Skeletons count={6} height={64} label="Loading the receipts..." />
      )}
      {receipts?.length === 0 && <EmptyState>No receipts in {year}</EmptyState>}
      {receipts && receipts.length > 0 && (
        <ol className={`${kit.card} ${styles.list}`} data-outdated={list.isPlaceholderData}>
          {receipts.map((receipt) => (
            <li key={receipt.id}>
              <Row receipt={receipt} />
            </li>
          ))}
        </ol>
      )}
      <MoreRows query={list} error="The receipts could not be loaded." />
    </Stack>
  )
}

function Row({ receipt }: { receipt: Receipt }) {
  const { id, number, issued_on, payer_name, total, cancelled_on, lines } = receipt
  const names = new Set(lines.map(({ student_name }) => student_name))
  const students = [...names].filter((name) => name && name !== payer_name)
  return (
    <LayoutLink to={receiptPath(id)} className={`${kit.row} ${styles.row}`}>
      <span className={styles.number}>{number}</span>
      <span className={styles.payer}>
        {payer_name ?? FORMER_MEMBER}{' '}
        {students.length > 0 && (
          <span className={`${styles.detail} ${styles.students}`}>for {students.join(', ')}</span>
        )}
      </span>
      <span className={`${kit.row} ${styles.date}`}>
        <span className={styles.detail}>{formatDate(issued_on)}</span>
        {cancelled_on && <Badge tone="red">Canceled</Badge>}
      </span>
      <span className={styles.total}>{formatMoney(total)}</span>
    </LayoutLink>
  )
}
