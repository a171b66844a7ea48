import type { Month } from '@tatami/contract/lib/calendar-day'
import { monthKey } from '@tatami/contract/lib/calendar-day'
import { Button, NativeSelect } from '@mantine/core'
import type { Student } from '@tatami/contract/students/students'
import { type ReactNode, useRef } from 'react'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ListCount } from './list-count.tsx'
import { type ListFilterState, useIdSet } from './list-filter.ts'
import { ONLINE_FILTER_CHOICES } from './online-words.ts'
import { PaymentList } from './payment-list.tsx'
import styles from './payment-center.module.css'
import type { PlanFilter } from './plan-filter.ts'
import { useRowTools } from './row-tools.ts'
import type { LedgerNotice } from './undo-bar.tsx'
import type { PaymentStatus } from './mark-notice.ts'
import { useMarkInList } from './use-mark-paid.ts'
import type { Payments } from './use-payments.ts'
import { useUnpaidQuestion } from './use-unpaid-question.tsx'
import type { PaymentView } from './view-switch.tsx'
import kit from '../ui/kit.module.css'

const LOADING_LABEL = 'Loading payments...'

const PaymentGroups = lazyComponent(
  () => import('./payment-groups.tsx'),
  'PaymentGroups',
  <Skeletons count={6} height={78} label={LOADING_LABEL} />,
)
const SelectionBar = lazyComponent(() => import('./selection-bar.tsx'), 'SelectionBar')

const FILTERS = [
  { value: 'all', label: 'All Students' },
  { value: 'paid', label: 'Paid Only' },
  { value: 'yet_to_pay', label: 'Yet To Pay' },
  { value: 'unpaid', label: 'Unpaid Only' },
] as const

type ListProps = { payments: Payments; listFilter: ListFilterState }
type Props = ListProps & {
  month: Month
  view: PaymentView
  viewSwitch: ReactNode
  onOpen: (student: Student, options: { isForMonth: boolean }) => void
  onPreload: () => void
  onMarked: (notice: LedgerNotice) => void
}

export function PaymentSection(props: Props) {
  const { month, payments, listFilter, view, viewSwitch, onOpen, onPreload, onMarked } = props
  const isDesktop = useLayout() === 'desktop'
  const { getStudentMonth, isPending } = payments
  const { visibleStudents } = listFilter
  const section = useRef<HTMLElement>(null)
  const selection = useIdSet(monthKey(month))
  const selectedStudents = payments.students.filter(({ id }) => selection.ids.has(id))
  const visibleIds = new Set(visibleStudents.map(({ id }) => id))
  const { markOne, markAll } = useMarkInList({
    month,
    getStudentMonth,
    onMark: listFilter.pin,
    onMarked,
  })
  const unpaidQuestion = useUnpaidQuestion(month)
  const mayMark = (students: readonly Student[], status: PaymentStatus) =>
    status === 'paid' || !unpaidQuestion.isNeeded(students) || unpaidQuestion.ask(students)
  const markOneIfAllowed = async (student: Student, status: PaymentStatus) => {
    if (await mayMark([student], status)) await markOne(student, status)
  }
  const tools = useRowTools({
    month,
    onMark: (student, status) => void markOneIfAllowed(student, status),
    onMarkAll: (students, payerName) => void markAll(students, 'paid', payerName),
    onSelect: selection.setIncluded,
    onOpen: (student) => onOpen(student, { isForMonth: false }),
    onPayMonth: (student) => onOpen(student, { isForMonth: true }),
    onPreload,
  })
  const unselect = (ids: readonly string[]) => {
    selection.setIncluded(ids, false)
    if (selectedStudents.every(({ id }) => ids.includes(id)))
      section.current?.focus({ preventScroll: true })
  }
  const rows = { students: visibleStudents, getStudentMonth, selectedIds: selection.ids, tools }
  return (
    <>
      <section
        ref={section}
        tabIndex={-1}
        aria-label="Students"
        className={`${kit.stackTight} ${styles.list}`}
      >
        <ListHead {...{ payments, listFilter }}>{viewSwitch}</ListHead>
        <PlanChoice planFilter={listFilter.planFilter} />
        <LoadNotices payments={payments} />
        {isPending && <Skeletons count={6} height={isDesktop ? 56 : 78} label={LOADING_LABEL} />}
        {!isPending && visibleIds.size === 0 && <EmptyList {...{ payments, listFilter }} />}
        {!isPending && visibleIds.size > 0 && view === 'list' && <PaymentList {...rows} />}
        {!isPending && visibleIds.size > 0 && view === 'class' && (
          <PaymentGroups {...rows} classes={payments.classes} />
        )}
      </section>
      {selectedStudents.length > 0 && (
        <SelectionBar
          students={selectedStudents}
          visibleIds={visibleIds}
          getStudentMonth={getStudentMonth}
          onMark={async (students, status) => {
            if (await mayMark(students, status)) await markAll(students, status)
          }}
          onSelectAll={() => selection.setIncluded([...visibleIds], true)}
          onUnselect={unselect}
        />
      )}
      {unpaidQuestion.dialog}
    </>
  )
}

type HeadProps = ListProps & { children: ReactNode }

function ListHead({ payments, listFilter, children: viewSwitch }: HeadProps) {
  const layout = useLayout()
  const isLoaded = !payments.isPending && !payments.onRetry
  const choices = payments.hasOnlineStudents ? [...FILTERS, ...ONLINE_FILTER_CHOICES] : FILTERS
  return (
    <div className={`${kit.wrap} ${kit.sticky} ${styles.filters}`} data-layout={layout}>
      <SearchBox
        value={listFilter.search}
        onChange={listFilter.setSearch}
        placeholder="Find a student"
      />
      <ChoiceFilter
        label="Payment status"
        choices={choices.map((choice) => ({
          ...choice,
          count: isLoaded ? listFilter.countMatching(choice.value) : undefined,
        }))}
        value={listFilter.filter === 'paying' ? '' : listFilter.filter}
        onChange={listFilter.setFilter}
      />
      {layout === 'desktop' && (
        <div className={`${kit.spread} ${styles.head}`} data-own-row={payments.hasOnlineStudents}>
          <ListCount payments={payments} listFilter={listFilter} />
          {viewSwitch}
        </div>
      )}
    </div>
  )
}

/** Hidden until a student has a plan. */
const PlanChoice = ({ planFilter: { choices, value, setValue } }: { planFilter: PlanFilter }) =>
  choices.length > 0 && (
    <NativeSelect
      aria-label="Plan"
      className={styles.plan}
      data={choices}
      value={value}
      onChange={({ currentTarget }) => setValue(currentTarget.value)}
    />
  )

function LoadNotices({ payments }: { payments: Payments }) {
  const { isPending, onRetry, onRetryRecords, onRetryBalances } = payments
  // If the students could not be loaded, the empty list has the button to try again.
  if (onRetry) return null
  if (onRetryRecords)
    return (
      <RetryNotice onRetry={onRetryRecords}>
        Payments could not be loaded. Until they are, everyone shows as unpaid.
      </RetryNotice>
    )
  return (
    onRetryBalances &&
    !isPending && <RetryNotice onRetry={onRetryBalances}>Balances could not be loaded.</RetryNotice>
  )
}

function EmptyList({ payments, listFilter }: ListProps) {
  const { students, onRetry, onRetryRecords } = payments
  const retry = onRetry ?? (listFilter.filter === 'paid' ? onRetryRecords : undefined)
  const action =
    students.length === 0 && !retry ? (
      <Button variant="default" component={LayoutLink} to={PATHS.students}>
        Open Student Center
      </Button>
    ) : (
      <Button variant="default" onClick={retry ?? listFilter.showAll}>
        {retry ? 'Try again' : 'Show all students'}
      </Button>
    )
  return <EmptyState action={action}>No students in this list</EmptyState>
}
