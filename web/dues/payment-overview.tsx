import type { Month } from '@tatami/contract/lib/calendar-day'
import { Button, Stack } from '@mantine/core'
import { exportsApi } from '@tatami/contract/exports/exports'
import { studentMatches } from '@tatami/contract/students/student-search'
import type { Student } from '@tatami/contract/students/students'
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import { DownloadCsv } from '../ui/download-csv.tsx'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { formatMonth } from '../lib/month.ts'
import { pluralize } from '../lib/text.ts'
import { useSearchText, useUrlChoice } from '../lib/url-query.ts'
import { PAYMENT_DRAFT } from '../lib/student-drafts.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { isInFilter, LIST_FILTERS, type ListFilter } from './list-filter.ts'
import { MonthPicker, useMonth, YearSwitch } from './month-picker.tsx'
import { PaymentActs } from './payment-acts.tsx'
import { PaymentList } from './payment-list.tsx'
import styles from './payment-overview.module.css'
import { PaymentTiles } from './payment-tiles.tsx'
import { useRowTools } from './row-tools.ts'
import type { Done } from './undo-bar.tsx'
import { useIdsOf } from './use-ids-of.ts'
import { useMarkInList } from './use-mark-paid.ts'
import { standingOf, usePayments } from './use-payments.ts'
import kit from '../ui/kit.module.css'

const SiblingPricesDialog = lazyComponent(() =>
  import('./sibling-prices-dialog.tsx').then((part) => part.SiblingPricesDialog),
)
const LedgerUndoBar = lazyComponent(() =>
  import('./undo-bar.tsx').then((part) => part.LedgerUndoBar),
)
const PaymentGroups = lazyComponent(
  () => import('./payment-groups.tsx').then((part) => part.PaymentGroups),
  <Skeletons count={6} height={112} label="Loading payments..." />,
)
const ResetDialog = lazyComponent(() =>
  import('./reset-dialog.tsx').then((part) => part.ResetDialog),
)
const PaymentDialog = lazyComponent(() =>
  import('./payment-dialog.tsx').then((part) => part.PaymentDialog),
)
const SelectionBar = lazyComponent(() =>
  import('./selection-bar.tsx').then((part) => part.SelectionBar),
)

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
/** What is open above the list. */
type Opened = 'reset' | 'prices' | { payer: string; isForMonth?: boolean } | null
const openedByDraft = (): Opened => {
  const payer = drafts.subjectOf(PAYMENT_DRAFT)
  return payer !== undefined
    ? { payer }
    : drafts.subjectOf('sibling-prices') === undefined
      ? null
      : 'prices'
}

/** The Payment Center: who has paid in a month, and who has not. */
export function PaymentOverview({ onLateFee, banner }: Props) {
  const [month, setMonth] = useMonth()
  const [filter, setFilter] = usePaymentFilter()
  const [search, setSearch] = useSearchText()
  const [view, setView] = useUrlChoice('view', ['list', 'class'])
  const [opened, setOpened] = useState(openedByDraft)
  const [done, setDone] = useState<Done | null>(null)
  const payments = usePayments(month)
  const { students, factsOf, isPending, onRetry, onRetryRecords, onRetryBalances } = payments
  const monthKey = `${month.month} ${month.year}`
  // Typing stays responsive while hundreds of rows render a moment later.
  const sought = useDeferredValue(search)
  const found = useMemo(
    () => students.filter((student) => studentMatches(student, sought, 'all')),
    [students, sought],
  )
  // Who was marked stays in the list although the filter no longer matches, so that no row moves under the finger.
  const pinned = useIdsOf(`${filter} ${monthKey} ${sought}`)
  const selection = useIdsOf(monthKey)
  const isIn = (choice: ListFilter) => (student: Student) =>
    isInFilter(choice, student, factsOf(student).state)
  const shown = found.filter((student) => pinned.ids.has(student.id) || isIn(filter)(student))
  const shownIds = new Set(shown.map(({ id }) => id))
  const selected = students.filter(({ id }) => selection.ids.has(id))
  const list = useRef<HTMLElement>(null)
  const { markOne, markAll } = useMarkInList(factsOf, {
    month,
    onMark: (ids) => pinned.change(ids, true),
    onMarked: setDone,
  })
  const tools = useRowTools({
    month,
    onMark: (student, status) => void markOne(student, status),
    onMarkAll: (some, whose) => void markAll(some, 'paid', whose),
    onSelect: selection.change,
    onOpen: ({ id }) => setOpened({ payer: id }),
    onPayMonth: ({ id }) => setOpened({ payer: id, isForMonth: true }),
    onIntent: () => {
      LedgerUndoBar.preload()
      PaymentDialog.preload()
    },
  })
  const changeFilter = (chosen: ListFilter) => {
    pinned.clear()
    setFilter(chosen)
  }
  const showAll = () => {
    changeFilter('all')
    setSearch('')
  }
  const unselect = (ids: readonly string[]) => {
    selection.change(ids, false)
    // The bar goes with the last of them, and what had the focus with it.
    if (selected.every(({ id }) => ids.includes(id))) list.current?.focus({ preventScroll: true })
  }
  const trialCount = shown.filter((student) => student.is_trial).length
  const isDesktop = useLayout() === 'desktop'
  const acts = (
    <PaymentActs
      onLateFee={() => onLateFee(month)}
      onReset={() => setOpened('reset')}
      onPrices={() => setOpened('prices')}
    />
  )
  const isKnown = !isPending && !onRetry
  const isFiltered = filter !== 'all' || sought.trim() !== ''
  const filters = FILTERS.map((choice) => ({
    ...choice,
    count: isKnown ? found.filter(isIn(choice.value)).length : undefined,
  }))
  const counted =
    isKnown &&
    `${pluralize(shown.length - trialCount, 'student')}${trialCount > 0 ? ` and ${trialCount} on trial` : ''}`
  const count = (
    <p role="status" className={kit.note}>
      {/* A desktop has the month below the title. */}
      {[!isDesktop && formatMonth(month), counted].filter(Boolean).join(' · ') || '\u00a0'}
    </p>
  )
  const viewSwitch = (
    <div className={`${kit.row} ${styles.view}`}>
      <ChoiceBar label="View" choices={VIEWS} value={view} onChange={setView} />
      {/* Also while they load and where the filter finds nobody, so that what stands beside it does not move. */}
      {(isPending || students.length > 0) && (
        <DownloadCsv
          endpoint={exportsApi.payments}
          all={{ label: 'All payments of all months', input: { body: {} } }}
          {...(shown.length > 0 && {
            shown: isFiltered
              ? {
                  label: `${formatMonth(month)}, ${pluralize(shown.length, 'student')}`,
                  input: { body: { of: { ...month, student_ids: shown.map(({ id }) => id) } } },
                }
              : { label: `All of ${formatMonth(month)}`, input: { body: { of: month } } },
          })}
        />
      )}
    </div>
  )
  const rows = { students: shown, factsOf, selected: selection.ids, tools }
  const payer = typeof opened === 'object' && students.find(({ id }) => id === opened?.payer)
  return (
    <Stack gap={isDesktop ? 'lg' : 'sm'}>
      <PageHeader title="Payment Center" subtitle={isDesktop && formatMonth(month)}>
        {isDesktop && acts}
      </PageHeader>
      <div className={`${kit.row} ${styles.month}`}>
        <YearSwitch value={month} onChange={setMonth} />
        <MonthPicker value={month} onChange={setMonth} />
      </div>
      <PaymentTiles
        statistics={payments.statistics}
        isUnconfirmed={onRetryRecords !== undefined}
        filter={filter}
        onFilter={changeFilter}
      />
      {!isDesktop && (
        <div className={`${kit.row} ${styles.strip}`}>
          {viewSwitch}
          {acts}
        </div>
      )}
      {banner}
      <section
        ref={list}
        tabIndex={-1}
        aria-label="Students"
        className={`${kit.stackTight} ${styles.list}`}
      >
        <div
          className={`${kit.wrap} ${kit.sticky} ${styles.filters}`}
          data-layout={isDesktop ? 'desktop' : 'mobile'}
        >
          <SearchBox value={search} onChange={setSearch} placeholder="Find a student" />
          <ChoiceBar
            label="Payment status"
            choices={filters}
            value={filter}
            onChange={changeFilter}
          />
          {isDesktop && (
            <div className={`${kit.spread} ${styles.head}`}>
              {count}
              {viewSwitch}
            </div>
          )}
        </div>
        {!isDesktop && count}
        {onRetryRecords && !onRetry && (
          <RetryNotice onRetry={onRetryRecords}>
            Who has paid could not be loaded. Until it is, everyone is listed as unpaid.
          </RetryNotice>
        )}
        {onRetryBalances && !onRetry && !onRetryRecords && !isPending && (
          <RetryNotice onRetry={onRetryBalances}>
            What is owed over all months could not be loaded.
          </RetryNotice>
        )}
        {isPending && (
          <Skeletons count={6} height={isDesktop ? 56 : 120} label="Loading payments..." />
        )}
        {!isPending && shown.length === 0 && (
          <EmptyList
            onRetry={onRetry ?? (filter === 'paid' ? onRetryRecords : undefined)}
            isWithoutStudents={students.length === 0}
            onShowAll={showAll}
          />
        )}
        {!isPending &&
          shown.length > 0 &&
          (view === 'list' ? (
            <PaymentList {...rows} />
          ) : (
            <PaymentGroups {...rows} classes={payments.classes} />
          ))}
      </section>
      {selected.length > 0 && (
        <SelectionBar
          students={selected}
          shownIds={shownIds}
          factsOf={factsOf}
          onMark={markAll}
          onSelectAll={() => selection.change([...shownIds], true)}
          onUnselect={unselect}
        />
      )}
      {done && <LedgerUndoBar key={done.actId} done={done} onGone={() => setDone(null)} />}
      {opened === 'prices' && <SiblingPricesDialog onClose={() => setOpened(null)} />}
      {opened === 'reset' && (
        <ResetDialog
          month={month}
          payments={payments.resettable}
          onClose={() => setOpened(null)}
          onReset={setDone}
        />
      )}
      {payer && (
        <PaymentDialog
          key={payer.id}
          student={payer}
          month={month}
          price={factsOf(payer).price?.amount}
          standing={standingOf(factsOf(payer))}
          isForMonth={typeof opened === 'object' && opened?.isForMonth === true}
          onClose={() => setOpened(null)}
          onDone={setDone}
        />
      )}
    </Stack>
  )
}

type EmptyProps = {
  onRetry: (() => void) | undefined
  isWithoutStudents: boolean
  onShowAll: () => void
}

/** Why nobody is listed is the next step: load again, add students, or show all. */
function EmptyList({ onRetry, isWithoutStudents, onShowAll }: EmptyProps) {
  const [words, onClick] = onRetry ? ['Try again', onRetry] : ['Show all students', onShowAll]
  return (
    <EmptyState
      action={
        isWithoutStudents && !onRetry ? (
          <Button variant="default" component={LayoutLink} to="/students">
            Open Student Center
          </Button>
        ) : (
          <Button variant="default" onClick={onClick}>
            {words}
          </Button>
        )
      }
    >
      Nobody in this list
    </EmptyState>
  )
}

/** The filter in the URL, "?filter=unpaid"; an unknown value is ignored (specification, section 2). */
const usePaymentFilter = () => useUrlChoice('filter', LIST_FILTERS)
