import { Button, Stack } from '@mantine/core'
import { ANNOUNCEMENT_HEADINGS } from '@tatami/contract/message-types'
import { exportsApi } from '@tatami/contract/exports'
import type { Month } from '@tatami/contract/month'
import { matchesPaymentFilter, PAYMENT_FILTERS, type PaymentFilter, type PaymentStatistics } from '@tatami/contract/payments'
import { studentMatches } from '@tatami/contract/student-search'
import type { Student } from '@tatami/contract/students'
import { type ReactNode, useState } from 'react'
import { DownloadCsv } from '../exports/download-csv.tsx'
import { pluralize } from '../lib/text.ts'
import { formatMoneyRoundedUp } from '../lib/money.ts'
import { formatMonth } from '../lib/month.ts'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { useUrlChoice, useSearchText } from '../lib/url-query.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import { MonthPicker, useMonth, YearSwitch } from './month-picker.tsx'
import { PaymentGroups, PaymentList } from './payment-list.tsx'
import styles from './payment-overview.module.css'
import { type Marked, useMarkPayment } from './use-mark-payment.ts'
import { usePayments } from './use-payments.ts'

const SiblingPricesDialog = lazyComponent(() => import('../prices/sibling-prices-dialog.tsx').then((part) => part.SiblingPricesDialog))
const ResetDialog = lazyComponent(() => import('./reset-dialog.tsx').then((part) => part.ResetDialog))

const FILTERS = [
  { value: 'all', label: 'All Students' },
  { value: 'paid', label: 'Paid Only' },
  { value: 'yet_to_pay', label: 'Yet To Pay' },
  { value: 'unpaid', label: 'Unpaid Only' },
] as const
const VIEWS = [
  { value: 'list', label: 'List' },
  { value: 'class', label: 'By class' },
] as const

type Props = {
  /** Opens the late-fee reminder, beginning with the month shown. */
  onLateFee: (month: Month) => void
  /** The result of sending the reminder. */
  banner: ReactNode
}

/** The Payment Center: who has paid in a month, and who has not. */
export function PaymentOverview({ onLateFee, banner }: Props) {
  const [month, setMonth] = useMonth()
  const [filter, setFilter] = usePaymentFilter()
  const [search, setSearch] = useSearchText()
  const [view, setView] = useUrlChoice('view', ['list', 'class'])
  const [isResetting, setIsResetting] = useState(false)
  const [isPricing, setIsPricing] = useState(() => drafts.subjectOf('sibling-prices') !== undefined)
  const [marked, setMarked] = useState<Marked | null>(null)
  const { students, classes, stateOf, priceOf, resettable, statistics, isPending, onRetry, onRetryRecords } = usePayments(month)
  const pinned = usePinnedRows(`${filter} ${month.month} ${month.year} ${search}`)
  const isIncluded = (student: Student) => pinned.ids.has(student.id) || matchesPaymentFilter(filter, stateOf(student) === 'paid')
  const shown = students.filter((student) => studentMatches(student, search, 'all') && isIncluded(student))
  const changeFilter = (chosen: PaymentFilter) => {
    pinned.clear()
    setFilter(chosen)
  }
  const showAll = () => {
    changeFilter('all')
    setSearch('')
  }
  const trialCount = shown.filter((student) => student.is_trial).length
  const isDesktop = useLayout() === 'desktop'
  const actions = (
    <>
      <Button variant="default" size={isDesktop ? 'md' : 'sm'} onClick={() => onLateFee(month)}>
        {ANNOUNCEMENT_HEADINGS.late_fee.title}
      </Button>
      <Button component={LayoutLink} to="/owing" variant="default" size={isDesktop ? 'md' : 'sm'}>
        Owing
      </Button>
      <Button variant="subtle" color="gray" size={isDesktop ? 'md' : 'sm'} onClick={() => setIsResetting(true)}>
        Monthly Payment Reset
      </Button>
      <Button variant="subtle" color="gray" size={isDesktop ? 'md' : 'sm'} onClick={() => setIsPricing(true)}>
        Sibling Prices
      </Button>
    </>
  )
  const yearSwitch = <YearSwitch value={month} onChange={setMonth} />
  const listHeader = (
    <div className={styles.head}>
      <p role="status" className={styles.count}>
        {isPending || onRetry
          ? '\u00a0'
          : `${pluralize(shown.length - trialCount, 'student')}${trialCount > 0 ? ` and ${trialCount} on trial` : ''}`}
      </p>
      <div className={styles.view}>
        <ChoiceBar label="View" choices={VIEWS} value={view} onChange={setView} />
        {shown.length > 0 && !isPending && (
          <DownloadCsv
            endpoint={exportsApi.payments}
            all={{ label: 'All payments of all months', input: { body: {} } }}
            shown={{
              label: `${formatMonth(month)}, ${pluralize(shown.length, 'student')}`,
              input: { body: { of: { ...month, student_ids: shown.map(({ id }) => id) } } },
            }}
          />
        )}
      </div>
    </div>
  )
  const retry = onRetry ?? (filter === 'paid' ? onRetryRecords : undefined)
  const emptyAction = retry ? (
    <Button variant="default" onClick={retry}>
      Try again
    </Button>
  ) : students.length === 0 ? (
    <Button variant="default" component={LayoutLink} to="/students">
      Open Student Center
    </Button>
  ) : (
    <Button variant="default" onClick={showAll}>
      Show all students
    </Button>
  )
  const List = view === 'list' ? PaymentList : PaymentGroups
  return (
    <Stack gap={isDesktop ? 'lg' : 'md'}>
      <PageHeader title="Payment Center" subtitle={formatMonth(month)}>
        {isDesktop ? actions : yearSwitch}
      </PageHeader>
      <div className={styles.month}>
        {isDesktop && yearSwitch}
        <MonthPicker value={month} onChange={setMonth} />
      </div>
      <StatisticsBanner statistics={statistics} filter={filter} onFilter={changeFilter} />
      {!isDesktop && <div className={styles.actions}>{actions}</div>}
      {banner}
      <section aria-label="Students" className={styles.list}>
        <div className={styles.filters} data-layout={isDesktop ? 'desktop' : 'mobile'}>
          <SearchBox value={search} onChange={setSearch} placeholder="Find a student" />
          <ChoiceBar label="Payment status" choices={FILTERS} value={filter} onChange={changeFilter} />
          {isDesktop && listHeader}
        </div>
        {!isDesktop && listHeader}
        {onRetryRecords && !onRetry && (
          <RetryNotice onRetry={onRetryRecords}>Who has paid could not be loaded. Until it is, everyone is listed as unpaid.</RetryNotice>
        )}
        {isPending && <Skeletons count={6} height={isDesktop ? 48 : 112} label="Loading payments..." />}
        {!isPending && shown.length === 0 && <EmptyState action={emptyAction}>Nobody in this list</EmptyState>}
        {!isPending && shown.length > 0 && (
          <List
            students={shown}
            classes={classes}
            stateOf={stateOf}
            priceOf={priceOf}
            markOptions={{ month, onMark: ({ id }) => pinned.pin(id), onMarked: setMarked }}
          />
        )}
      </section>
      {marked && <UndoMark key={`${marked.student.id} ${marked.status}`} marked={marked} onGone={() => setMarked(null)} />}
      {isPricing && <SiblingPricesDialog onClose={() => setIsPricing(false)} />}
      {isResetting && <ResetDialog month={month} payments={resettable} onClose={() => setIsResetting(false)} />}
    </Stack>
  )
}

const TILES = [
  { label: 'Total Monthly Paying Students', filter: 'all', stat: 'total_monthly_paying_students' },
  { label: 'Paid This Month', filter: 'paid', stat: 'total_paid_this_month' },
  { label: 'Yet To Pay', filter: 'yet_to_pay', stat: 'total_yet_to_pay' },
] as const

type StatisticsBannerProps = { statistics: PaymentStatistics | undefined; filter: PaymentFilter; onFilter: (filter: PaymentFilter) => void }

/** The month's figures; the first three tiles filter the list. Unknown figures are shown as a dash. */
const StatisticsBanner = ({ statistics, filter, onFilter }: StatisticsBannerProps) => (
  <ul className={styles.banner} aria-label="Statistics">
    {TILES.map((tile) => (
      <li key={tile.stat}>
        <button type="button" className={styles.tile} aria-pressed={tile.filter === filter} onClick={() => onFilter(tile.filter)}>
          <span className={styles.number}>{statistics?.[tile.stat] ?? '–'}</span> <span className={styles.label}>{tile.label}</span>
        </button>
      </li>
    ))}
    <li className={styles.tile}>
      <span className={styles.number}>{statistics ? formatMoneyRoundedUp(statistics.monthly_revenue) : '–'}</span>{' '}
      <span className={styles.label}>Monthly Revenue</span>
    </li>
  </ul>
)

/** Offers to undo the last mark, which restores the status and the amount recorded before it. */
function UndoMark({ marked, onGone }: { marked: Marked; onGone: () => void }) {
  const { student, month, status, before } = marked
  const mark = useMarkPayment(student, { month })
  const undo = () => {
    mark(before?.payment_status ?? 'unpaid', before?.monthly_payment_amount)
    onGone()
  }
  return (
    <Snackbar act="Undo" onAct={undo} onGone={onGone}>
      {student.name} marked {status}
    </Snackbar>
  )
}

const NO_IDS: ReadonlySet<string> = new Set()

/** Keeps the students who were marked in the list although the filter no longer matches, so that no row moves under the finger. `list` identifies the filters; another list starts with none. */
function usePinnedRows(list: string) {
  const [pinned, setPinned] = useState({ list, ids: NO_IDS })
  const ids = pinned.list === list ? pinned.ids : NO_IDS
  const pin = (id: string) => setPinned((now) => ({ list, ids: new Set([...(now.list === list ? now.ids : []), id]) }))
  const clear = () => setPinned({ list, ids: NO_IDS })
  return { ids, pin, clear }
}

/** The filter in the URL, "?filter=unpaid"; another value is ignored (specification, section 2). */
const usePaymentFilter = () => useUrlChoice('filter', PAYMENT_FILTERS)
