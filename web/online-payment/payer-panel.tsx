import { formatMoney } from '@tatami/contract/lib/money'
import { type PayerHome, payerHomeApi } from '@tatami/contract/online-payment/payer-home'
import { useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice, Warning } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { AutopaySection } from './autopay-section.tsx'
import styles from './payer-panel.module.css'
import kit from '../ui/kit.module.css'

export const payerHomeQuery = endpointQuery(payerHomeApi.home)

/** What the user owes, with the button to pay it. Nothing if they owe nothing. */
export function PayNow() {
  const { data } = useRetryingQuery(payerHomeQuery)
  const home = data?.home
  if (!home || home.owed === 0) return null
  return (
    <Panel title="What you owe">
      <div className={kit.stack}>
        {home.is_test && <TestWarning />}
        <OwedAmounts home={home} />
      </div>
    </Panel>
  )
}

const TestWarning = () => <Warning>Test mode: no real money is taken.</Warning>

const SETTING_UP_POLL_MS = 3000

/** How the user pays. Shown only if the school takes online payments. */
export function PayerPanel() {
  const { data } = useRetryingQuery(payerHomeQuery, {
    pollMs: (reply) => reply.home?.is_setting_up === true && SETTING_UP_POLL_MS,
  })
  const home = data?.home
  if (!home) return null
  return (
    <Panel title="Your payments">
      <div className={kit.stack}>
        {home.is_test && home.owed === 0 && <TestWarning />}
        {home.on_its_way > 0 && (
          <p>
            {formatMoney(home.on_its_way)} is on its way from the bank. This takes up to four
            business days.
          </p>
        )}
        {home.waiting > 0 && (
          <p>
            {formatMoney(home.waiting)} more is owed. You can pay it here once the bank payment has
            arrived.
          </p>
        )}
        {home.owed === 0 && home.waiting === 0 && <p>You owe nothing right now.</p>}
        <AutopaySection home={home} />
        <LatestPayments payments={home.payments} />
      </div>
    </Panel>
  )
}

function OwedAmounts({ home: { lines, owed, on_its_way } }: { home: PayerHome }) {
  const cache = useQueryClient()
  const pay = useEndpointMutation(payerHomeApi.pay, {
    refreshes: [payerHomeApi.home],
    onSuccess: ({ url }) => url !== null && location.assign(url),
    // What is owed may have changed, or has been paid on another device.
    onError: () => void cache.invalidateQueries({ queryKey: payerHomeQuery.queryKey }),
  })
  return (
    <div className={kit.stackSmall}>
      <table className={styles.amounts}>
        <tbody>
          {lines.map(({ name, amount }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{formatMoney(amount)}</td>
            </tr>
          ))}
          <tr className={styles.total}>
            <td>Total</td>
            <td>{formatMoney(owed)}</td>
          </tr>
          {on_its_way > 0 && (
            <tr className={kit.muted}>
              <td>On its way from the bank</td>
              <td>{formatMoney(on_its_way)}</td>
            </tr>
          )}
        </tbody>
      </table>
      <ErrorNotice>
        {pay.error && errorMessage(pay.error, 'This did not work. Please try again.')}
      </ErrorNotice>
      <BusyButton
        busy={pay.isPending}
        busyLabel="Opening..."
        onClick={() => pay.mutate({ body: { amount: owed } })}
      >
        {`Pay ${formatMoney(owed)}`}
      </BusyButton>
    </div>
  )
}

const SHOWN_PAYMENTS = 3

function LatestPayments({ payments }: Pick<PayerHome, 'payments'>) {
  if (payments.length === 0) return null
  return (
    <section aria-label="Latest payments">
      <p className={kit.muted}>Paid online</p>
      <ul className={styles.payments}>
        {payments.slice(0, SHOWN_PAYMENTS).map(({ id, paid_on, amount, refunded }) => (
          <li key={id} className={kit.spread}>
            <span>{formatDate(paid_on)}</span>
            <span>
              {formatMoney(amount)}
              {refunded > 0 && `, ${formatMoney(refunded)} refunded`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
