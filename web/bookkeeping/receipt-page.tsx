import { formatMoney } from '@tatami/contract/lib/money'
import { Button, Stack } from '@mantine/core'
import { IconMail, IconMessage2 } from '@tabler/icons-react'
import { chargeName, methodName } from '@tatami/contract/ledger/charge-words'
import {
  type Receipt,
  type ReceiptLine,
  receiptsApi,
  type SendingWay,
} from '@tatami/contract/bookkeeping/receipts'
import { textingApi } from '@tatami/contract/texting/texting'
import { useParams } from 'react-router'
import { beltTest } from '../lib/belt-test.ts'
import { ApiError, errorMessage } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { LimitNotice } from '../texting/send-dialog.tsx'
import { TestModeWords } from '../texting/simulator-banner.tsx'
import { asksAboutVacation, VacationQuestion } from '../texting/vacation-question.tsx'
import { useUsage } from '../texting/usage.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Done, ErrorNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './paper.module.css'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { PrintButton } from '../ui/print-button.tsx'

/** One receipt, to look at, to print and to send. */
export function ReceiptPage() {
  const { id = '' } = useParams()
  const receipt = useRetryingQuery(endpointQuery(receiptsApi.show, { params: { id } }))
  const isGone = receipt.error instanceof ApiError && receipt.error.status === 404
  const allReceipts = (
    <Button component={LayoutLink} to="/receipts" variant="default">
      All receipts
    </Button>
  )
  if (isGone)
    return <EmptyState action={allReceipts}>There is no such receipt in your dojo.</EmptyState>
  if (!receipt.data)
    return (
      <Loading of={receipt} failed="The receipt could not be loaded.">
        <SkeletonBlock height="28rem">Loading the receipt...</SkeletonBlock>
      </Loading>
    )
  return (
    <Stack gap="md">
      <PageHeader title={`Receipt ${receipt.data.number}`} />
      <Paper receipt={receipt.data} />
      <Sending receipt={receipt.data} />
    </Stack>
  )
}

function Paper({ receipt }: { receipt: Receipt }) {
  const { dojo_name, number, issued_on, issued_by, payer_name, total, cancelled_on, lines } =
    receipt
  return (
    <article
      className={`${kit.card} ${styles.paper}`}
      data-layout={useLayout()}
      aria-label={`Receipt ${number}`}
    >
      <div className={`${kit.wrap} ${styles.top}`}>
        <h2>{dojo_name}</h2>
        <p className={styles.number}>Receipt {number}</p>
      </div>
      {cancelled_on && (
        <p className={styles.cancelled}>Cancelled: taken back on {formatDate(cancelled_on)}</p>
      )}
      <dl className={styles.facts}>
        <dt>Received from</dt>
        <dd>{payer_name ?? 'Somebody who has left'}</dd>
        <dt>Issued on</dt>
        <dd>
          {formatDate(issued_on)} by {issued_by}
        </dd>
      </dl>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Received</th>
            <th scope="col" className={styles.money}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, place) => (
            <Line key={place} line={line} isCancelled={cancelled_on !== null} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Total
            </th>
            <td className={styles.money}>{formatMoney(total)}</td>
          </tr>
        </tfoot>
      </table>
    </article>
  )
}

const Line = ({ line, isCancelled }: { line: ReceiptLine; isCancelled: boolean }) => (
  <tr>
    <td>
      {chargeName(line, beltTest())}
      {line.student_name && <span className={styles.about}>{line.student_name}</span>}
      {line.taken_back_on && !isCancelled && (
        <span className={styles.about}>Taken back on {formatDate(line.taken_back_on)}</span>
      )}
    </td>
    <td>
      {formatDate(line.received_on)}
      {line.method && <span className={styles.about}>{methodName(line.method)}</span>}
    </td>
    <td className={`${styles.money} ${line.taken_back_on ? styles.takenBack : ''}`}>
      {formatMoney(line.amount)}
    </td>
  </tr>
)

/** Print, text or mail; a cancelled receipt is only printed. */
function Sending({ receipt: { id, cancelled_on, payer_name } }: { receipt: Receipt }) {
  const payer = payer_name ?? 'whoever paid'
  const { limit_reached } = useUsage()
  const send = useEndpointMutation(receiptsApi.send, { refreshes: [textingApi.usage] })
  const by = send.isPending ? send.variables.body.by : undefined
  const start = (way: SendingWay, even_on_vacation = false) =>
    send.isPending || send.mutate({ params: { id }, body: { by: way, even_on_vacation } })
  const ways = [
    { way: 'text', label: 'Send as a text', icon: IconMessage2 },
    { way: 'mail', label: 'Send by mail', icon: IconMail },
  ] as const
  return (
    <Stack gap="sm" className={styles.screen}>
      <div className={`${kit.wrap} ${styles.acts}`}>
        <PrintButton />
        {cancelled_on === null &&
          ways.map(({ way, label, icon: Sign }) => (
            <BusyButton
              key={way}
              variant="default"
              leftSection={<Sign size={20} aria-hidden />}
              busy={by === way}
              busyLabel="On its way..."
              disabled={way === 'text' && limit_reached}
              onClick={() => start(way)}
            >
              {label}
            </BusyButton>
          ))}
        <Button component={LayoutLink} to="/receipts" variant="subtle">
          All receipts
        </Button>
      </div>
      {cancelled_on === null && <LimitNotice />}
      <ErrorNotice>
        {send.error &&
          !asksAboutVacation(send.error) &&
          errorMessage(send.error, 'The receipt could not be sent. Please try again.')}
      </ErrorNotice>
      <VacationQuestion
        error={send.error}
        busy={send.isPending}
        onSend={() => start('text', true)}
        onClose={send.reset}
      />
      {send.data && (
        <Done>
          {send.variables.body.by === 'mail' ? (
            `Mailed to ${payer}.`
          ) : (
            <>
              Texted to {payer}.<TestModeWords />
            </>
          )}
        </Done>
      )}
    </Stack>
  )
}
