import { Anchor, Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { formatMoney } from '@tatami/contract/lib/money'
import {
  type OnlinePaymentDetails,
  type OnlineRefund,
  onlineRefundApi,
} from '@tatami/contract/online-payment/refunds'
import { onlinePaymentApi } from '@tatami/contract/online-payment/online-payment'
import { type ReactNode, useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { useCan } from '../lib/current-user.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LoadingSheet } from '../ui/loading.tsx'
import { ErrorNotice, Warning } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { DISPUTE_STATES, REFUND_STATES, REVIEW_ADVICE } from './payment-words.ts'
import styles from './online-payments.module.css'
import kit from '../ui/kit.module.css'

const RefundDialog = lazyComponent(() => import('./refund-dialog.tsx'), 'RefundDialog')

type Props = { id: string; onClose: () => void }

/** Refunds are sent after the reply, so the sheet asks again until none is being sent. */
const POLL_MS = 2000
const isSending = ({ refunds }: OnlinePaymentDetails): boolean =>
  refunds.some(({ state }) => state === 'sending')

export function OnlinePaymentSheet({ id, onClose }: Props) {
  const payment = useRetryingQuery(endpointQuery(onlineRefundApi.details, { params: { id } }), {
    pollMs: (details) => isSending(details) && POLL_MS,
  })
  const [refundTarget, setRefundTarget] = useState<OnlineRefund | 'new' | null>(null)
  if (!payment.data)
    return (
      <LoadingSheet
        title="Online payment"
        query={payment}
        error="The payment could not be loaded."
        label="Loading the payment..."
        onClose={onClose}
      />
    )
  if (refundTarget)
    return (
      <RefundDialog
        payment={payment.data}
        {...(refundTarget !== 'new' && { outsideRefund: refundTarget })}
        onClose={() => setRefundTarget(null)}
      />
    )
  return (
    <Sheet
      opened
      onClose={onClose}
      size="small"
      title={`${formatMoney(payment.data.amount)} from ${payment.data.payer_name ?? 'a former member'}`}
    >
      <div className={kit.stack}>
        <Review payment={payment.data} />
        <PaidFor lines={payment.data.lines} />
        <Details payment={payment.data} />
        <Refunds refunds={payment.data.refunds} onRecord={setRefundTarget} />
        <Actions payment={payment.data} onRefund={() => setRefundTarget('new')} />
      </div>
    </Sheet>
  )
}

function Review({ payment: { id, review_reason } }: { payment: OnlinePaymentDetails }) {
  const can = useCan()
  const endReview = useEndpointMutation(onlineRefundApi.endReview, {
    refreshes: [onlinePaymentApi.list, dashboardApi.stats, onlineRefundApi.details],
  })
  const { busy, error } = progressProps(endReview, 'This could not be saved. Please try again.')
  if (!review_reason) return null
  return (
    <>
      <Warning>{REVIEW_ADVICE[review_reason]}</Warning>
      {error && <ErrorNotice>{error}</ErrorNotice>}
      {can('money.give_back') && review_reason !== 'outside_refund' && (
        <BusyButton
          variant="default"
          busy={busy}
          busyLabel="Saving..."
          onClick={() => endReview.mutate({ params: { id } })}
        >
          Done, stop reminding me
        </BusyButton>
      )}
    </>
  )
}

const PaidFor = ({ lines }: Pick<OnlinePaymentDetails, 'lines'>) => (
  <ul className={kit.stackTight} aria-label="What it was for">
    {lines.map(({ name, amount }, index) => (
      <li key={index} className={kit.spread}>
        <span>{name}</span>
        <span>{formatMoney(amount)}</span>
      </li>
    ))}
  </ul>
)

function Details({ payment }: { payment: OnlinePaymentDetails }) {
  const { paid_at, fee, dispute, is_live } = payment
  return (
    <dl className={kit.fieldPair}>
      <Detail name="Paid">{paid_at ? formatInstantDate(paid_at) : 'Not yet'}</Detail>
      <Detail name="Stripe’s fee">{fee === null ? 'Not known yet' : formatMoney(fee)}</Detail>
      {!is_live && <Detail name="Mode">Test, no real money</Detail>}
      {dispute && (
        <Detail name={DISPUTE_STATES[dispute.state]} isWide>
          {joinNonEmpty(
            [
              `${formatMoney(dispute.amount)}. ${dispute.reason}.`,
              dispute.state === 'open' &&
                dispute.answer_by &&
                `Answer by ${formatInstantDate(dispute.answer_by)}.`,
            ],
            ' ',
          )}
        </Detail>
      )}
    </dl>
  )
}

type DetailProps = { name: string; isWide?: boolean; children: ReactNode }

const Detail = ({ name, isWide = false, children }: DetailProps) => (
  <div className={isWide ? styles.wide : undefined}>
    <dt className={kit.note}>{name}</dt>
    <dd>{children}</dd>
  </div>
)

type RefundsProps = {
  refunds: readonly OnlineRefund[]
  onRecord: (refund: OnlineRefund) => void
}

function Refunds({ refunds, onRecord }: RefundsProps) {
  const can = useCan()
  if (refunds.length === 0) return null
  return (
    <ul className={`${kit.hairlines} ${styles.refunds}`} aria-label="Refunds">
      {refunds.map((refund) => (
        <li key={refund.id} className={kit.stackTight}>
          <div className={kit.spread}>
            <span>
              <span className={kit.strong}>{formatMoney(refund.amount)}</span>
              <span className={styles.detail}>
                {joinNonEmpty(
                  [
                    formatInstantDate(refund.created_at),
                    refund.created_by ?? 'in Stripe',
                    refund.note,
                    refund.failure_reason,
                  ],
                  ' · ',
                )}
              </span>
            </span>
            <Badge tone={REFUND_STATES[refund.state].tone}>
              {REFUND_STATES[refund.state].label}
            </Badge>
          </div>
          {!refund.is_recorded && can('money.give_back') && (
            <Button variant="light" onClick={() => onRecord(refund)}>
              Say what it was for
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

type ActionsProps = { payment: OnlinePaymentDetails; onRefund: () => void }

function Actions({ payment, onRefund }: ActionsProps) {
  const can = useCan()
  const { refundable, parts, dispute, stripe_url } = payment
  const canRefund = refundable > 0 && parts.length > 0 && dispute?.state !== 'open'
  return (
    <div className={kit.row}>
      {canRefund && can('money.give_back') && (
        <Button variant="default" onClick={onRefund} {...RefundDialog.preloadOnHover}>
          Refund
        </Button>
      )}
      {stripe_url && (
        <Anchor href={stripe_url} target="_blank" rel="noreferrer" className={kit.inline}>
          Open in Stripe
          <IconExternalLink size={18} aria-hidden />
        </Anchor>
      )}
    </div>
  )
}
