import { Stack } from '@mantine/core'
import { formatMoney } from '@tatami/contract/lib/money'
import {
  type OnlinePayment,
  onlinePaymentApi,
} from '@tatami/contract/online-payment/online-payment'
import { MoneySwitch } from '../dues/money-switch.tsx'
import { formatInstantDate } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { useUrlChoice, useUrlQuery } from '../lib/url-query.ts'
import { Badge } from '../ui/badge.tsx'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './online-payments.module.css'
import { describeLines, labelPayment } from './payment-words.ts'
import { SimulationBanner } from './simulation.tsx'
import kit from '../ui/kit.module.css'

const OnlinePaymentSheet = lazyComponent(
  () => import('./online-payment-sheet.tsx'),
  'OnlinePaymentSheet',
)

const FILTERS = ['all', 'review', 'on_its_way', 'declined', 'refunded'] as const
type Filter = (typeof FILTERS)[number]
const FILTER_CHOICES = [
  { value: 'all', label: 'All' },
  { value: 'review', label: 'Needs you' },
  { value: 'on_its_way', label: 'On its way' },
  { value: 'declined', label: 'Declined' },
  { value: 'refunded', label: 'Refunded' },
] as const

const MATCHES: Record<Filter, (payment: OnlinePayment) => boolean> = {
  all: () => true,
  review: ({ review_reason }) => review_reason !== null,
  on_its_way: ({ state }) => state === 'processing' || state === 'unknown',
  declined: ({ state }) => state === 'declined',
  refunded: ({ refunded }) => refunded > 0,
}

const EMPTY_TEXTS: Record<Filter, string> = {
  all: 'Nobody has paid online in the last 60 days',
  review: 'Nothing needs you',
  on_its_way: 'Nothing is on its way',
  declined: 'No declined payments',
  refunded: 'No refunds',
}

/** The URL names the payment whose details are open, so that other screens can link to it. */
export function OnlinePayments() {
  const payments = useRetryingQuery(endpointQuery(onlinePaymentApi.list))
  const [filter, setFilter] = useUrlChoice('filter', FILTERS)
  const [query, changeQuery] = useUrlQuery()
  const openPaymentId = query.get('payment')
  const visiblePayments = payments.data?.filter(MATCHES[filter])
  return (
    <Stack gap="md">
      <MoneySwitch />
      <PageHeader title="Online payments" subtitle="The last 60 days" />
      <SimulationBanner />
      <ChoiceFilter label="Show" choices={FILTER_CHOICES} value={filter} onChange={setFilter} />
      {visiblePayments?.length === 0 && <EmptyState>{EMPTY_TEXTS[filter]}</EmptyState>}
      {visiblePayments && visiblePayments.length > 0 && (
        <ol className={`${kit.card} ${styles.list}`}>
          {visiblePayments.map((payment) => (
            <li key={payment.id}>
              <PaymentRow payment={payment} onOpen={() => changeQuery({ payment: payment.id })} />
            </li>
          ))}
        </ol>
      )}
      <Loading query={payments} error="The online payments could not be loaded.">
        <Skeletons count={6} height={64} label="Loading the online payments..." />
      </Loading>
      {openPaymentId && (
        <OnlinePaymentSheet id={openPaymentId} onClose={() => changeQuery({ payment: '' })} />
      )}
    </Stack>
  )
}

type RowProps = { payment: OnlinePayment; onOpen: () => void }

function PaymentRow({ payment, onOpen }: RowProps) {
  const { payer_name, line_names, decline_reason, amount, created_at, paid_at, is_test } = payment
  const { label, tone } = labelPayment(payment)
  return (
    <button
      type="button"
      className={`${kit.row} ${styles.row}`}
      aria-haspopup="dialog"
      onClick={onOpen}
      {...OnlinePaymentSheet.preloadOnHover}
    >
      <span className={styles.payer}>
        <span className={kit.strong}>{payer_name ?? 'Former member'}</span>
        <span className={styles.detail}>
          {joinNonEmpty([describeLines(line_names), decline_reason], ' · ')}
        </span>
      </span>
      <span className={styles.state}>
        <span>
          <Badge tone={tone}>{label}</Badge>
          {is_test && <Badge tone="orange">Test</Badge>}
        </span>
        <span className={styles.detail}>{formatInstantDate(paid_at ?? created_at)}</span>
      </span>
      <span className={styles.amount}>{formatMoney(amount)}</span>
    </button>
  )
}
