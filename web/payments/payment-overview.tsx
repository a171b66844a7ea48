import { Button, Stack } from '@mantine/core'
import { ANNOUNCED_AS } from '@tatami/contract/message-words'
import { isShown } from '@tatami/contract/payments'
import { type ReactNode, useState } from 'react'
import { ShellLink, useShell } from '../kernel/shell.tsx'
import { counted } from '../kernel/counted.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { type Month, monthName, thisMonth } from './month.ts'
import { MonthPicker, YearSwitch } from './month-picker.tsx'
import styles from './payment-overview.module.css'
import { PaymentGroups } from './payment-groups.tsx'
import { PaymentList } from './payment-list.tsx'
import { StatisticsBanner } from './statistics-banner.tsx'
import { usePaymentFilter } from './use-payment-filter.ts'
import { usePayments } from './use-payments.ts'

const ResetDialog = lazyPart(() => import('./reset-dialog.tsx').then((part) => part.ResetDialog))

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
  /** How a sending ended. */
  banner: ReactNode
}

/** Who owes? */
export function PaymentOverview({ onLateFee, banner }: Props) {
  const [month, setMonth] = useState(thisMonth)
  const [filter, setFilter] = usePaymentFilter()
  const [view, setView] = useState<'list' | 'class'>('list')
  const [isResetting, setIsResetting] = useState(false)
  const { students, classes, paid, resettable, statistics, isPending, onRetry } = usePayments(month)
  const shown = students.filter(({ id }) => isShown(filter, paid.has(id)))
  const trial = shown.filter((student) => student.is_trial).length
  const isDesktop = useShell() === 'desktop'
  const acts = (
    <>
      <Button variant="default" size={isDesktop ? 'md' : 'sm'} onClick={() => onLateFee(month)}>
        {ANNOUNCED_AS.late_fee.title}
      </Button>
      <Button variant="subtle" color="gray" size={isDesktop ? 'md' : 'sm'} onClick={() => setIsResetting(true)}>
        Monthly Payment Reset
      </Button>
    </>
  )
  const year = <YearSwitch value={month} onChange={setMonth} />
  const found = (
    <div className={styles.head}>
      <p role="status" className={styles.count}>
        {isPending || onRetry ? '\u00a0' : `${counted(shown.length - trial, 'student')}${trial > 0 ? ` and ${trial} on trial` : ''}`}
      </p>
      <ChoiceBar label="View" choices={VIEWS} value={view} onChange={setView} />
    </div>
  )
  const nextStep = onRetry ? (
    <Button variant="default" onClick={onRetry}>
      Try again
    </Button>
  ) : students.length === 0 ? (
    <Button variant="default" component={ShellLink} to="/students">
      Open Student Center
    </Button>
  ) : (
    <Button variant="default" onClick={() => setFilter('all')}>
      Show all students
    </Button>
  )
  const List = view === 'list' ? PaymentList : PaymentGroups
  return (
    <Stack gap={isDesktop ? 'lg' : 'md'}>
      <PageHeader title="Payment Center" subtitle={monthName(month)}>
        {isDesktop ? acts : year}
      </PageHeader>
      <div className={styles.month}>
        {isDesktop && year}
        <MonthPicker value={month} onChange={setMonth} />
      </div>
      <StatisticsBanner statistics={statistics} filter={filter} onFilter={setFilter} />
      {!isDesktop && <div className={styles.acts}>{acts}</div>}
      {banner}
      <section aria-label="Students" className={styles.list}>
        <div className={styles.filters} data-shell={isDesktop ? 'desktop' : 'mobile'}>
          <ChoiceBar label="Payment status" choices={FILTERS} value={filter} onChange={setFilter} />
          {isDesktop && found}
        </div>
        {!isDesktop && found}
        {isPending && <Skeletons count={6} height={isDesktop ? 48 : 112} label="Loading payments..." />}
        {!isPending && shown.length === 0 && <EmptyState action={nextStep}>Nobody in this list</EmptyState>}
        {!isPending && shown.length > 0 && <List students={shown} classes={classes} paid={paid} month={month} />}
      </section>
      {isResetting && <ResetDialog month={month} payments={resettable} onClose={() => setIsResetting(false)} />}
    </Stack>
  )
}
