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
import { taxWords } from '@tatami/contract/ledger/tax-words'
import { textingApi } from '@tatami/contract/texting/texting'
import { useParams } from 'react-router'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { ApiError, errorMessage } from '../lib/api.ts'
import { isStaff, useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { PATHS } from '../lib/paths.ts'
import { LimitNotice } from '../texting/send-dialog.tsx'
import { TestModeNote } from '../texting/simulator-banner.tsx'
import { isVacationRefusal, VacationQuestion } from '../texting/vacation-question.tsx'
import { useUsage } from '../texting/usage.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { DoneNotice, ErrorNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { Paper, TotalRow } from './paper.tsx'
import styles from './paper.module.css'
import { FORMER_MEMBER } from './receipts.tsx'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { PrintButton } from '../ui/print-button.tsx'

export function ReceiptPage() {
  const { id = '' } = useParams()
  const receipt = useRetryingQuery(endpointQuery(receiptsApi.show, { params: { id } }))
  const isNotFound = receipt.error instanceof ApiError && receipt.error.status === 404
  const user = useCurrentUser()
  if (isNotFound)
    return <EmptyState action={<AllReceipts variant="default" />}>Receipt not found</EmptyState>
  if (!receipt.data)
    return (
      <Loading query={receipt} error="The receipt could not be loaded.">
        <div className={styles.loading}>
          <SkeletonBlock height="28rem">Loading the receipt...</SkeletonBlock>
        </div>
      </Loading>
    )
  return (
    <Stack gap="md">
      <PageHeader title={`Receipt ${receipt.data.number}`} />
      <ReceiptPaper receipt={receipt.data} />
      {isStaff(user) ? (
        <SendActions receipt={receipt.data} />
      ) : (
        <div className={`${kit.wrap} ${styles.buttons} ${styles.screenOnly}`}>
          <PrintButton />
          <AllReceipts variant="subtle" />
        </div>
      )}
    </Stack>
  )
}

const AllReceipts = ({ variant }: { variant: 'default' | 'subtle' }) => (
  <Button component={LayoutLink} to={PATHS.receipts} variant={variant}>
    All receipts
  </Button>
)

function ReceiptPaper({ receipt }: { receipt: Receipt }) {
  const {
    dojo_name,
    number,
    issued_on,
    issued_by,
    payer_name,
    total,
    refunded,
    cancelled_on,
    lines,
  } = receipt
  return (
    <Paper dojoName={dojo_name} label={`Receipt ${number}`} heading={`Receipt ${number}`}>
      {cancelled_on && (
        <p className={styles.canceled}>Canceled: payment undone on {formatDate(cancelled_on)}</p>
      )}
      <dl className={styles.facts}>
        <dt>Received from</dt>
        <dd>{payer_name ?? FORMER_MEMBER}</dd>
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
          {lines.map((line, index) => (
            <Line key={index} line={line} isCanceled={cancelled_on !== null} />
          ))}
        </tbody>
        <tfoot>
          <TotalRow label="Total" columns={2} amount={formatMoney(total)} />
          {refunded > 0 && (
            <TotalRow label="Refunded" columns={2} amount={formatMoney(-refunded)} />
          )}
        </tfoot>
      </table>
    </Paper>
  )
}

const Line = ({ line, isCanceled }: { line: ReceiptLine; isCanceled: boolean }) => (
  <tr>
    <td>
      {chargeName(line, schoolBeltTestName())}
      {line.student_name && <span className={styles.detail}>{line.student_name}</span>}
      {taxWords(line) && <span className={styles.detail}>{taxWords(line)}</span>}
      {line.taken_back_on && !isCanceled && (
        <span className={styles.detail}>Undone on {formatDate(line.taken_back_on)}</span>
      )}
    </td>
    <td className={styles.received}>
      {formatDate(line.received_on)}
      {line.method && <span className={styles.detail}>{methodName(line.method)}</span>}
    </td>
    <td className={`${styles.money} ${line.taken_back_on ? styles.undone : ''}`}>
      {formatMoney(line.amount)}
    </td>
  </tr>
)

function SendActions({ receipt: { id, cancelled_on, payer_name } }: { receipt: Receipt }) {
  const payer = payer_name ?? 'the payer'
  const { limit_reached } = useUsage()
  const send = useEndpointMutation(receiptsApi.send, { refreshes: [textingApi.usage] })
  const pendingWay = send.isPending ? send.variables.body.by : undefined
  const sendBy = (way: SendingWay, { even_on_vacation } = { even_on_vacation: false }) =>
    send.isPending || send.mutate({ params: { id }, body: { by: way, even_on_vacation } })
  const sendingWays = [
    { way: 'text', label: 'Send as a text', icon: IconMessage2 },
    { way: 'mail', label: 'Send by email', icon: IconMail },
  ] as const
  return (
    <Stack gap="sm" className={styles.screenOnly}>
      <div className={`${kit.wrap} ${styles.buttons}`}>
        <PrintButton />
        {cancelled_on === null &&
          sendingWays.map(({ way, label, icon: WayIcon }) => (
            <BusyButton
              key={way}
              variant="default"
              leftSection={<WayIcon size={20} aria-hidden />}
              busy={pendingWay === way}
              busyLabel="Sending it..."
              disabled={way === 'text' && limit_reached}
              onClick={() => sendBy(way)}
            >
              {label}
            </BusyButton>
          ))}
        <AllReceipts variant="subtle" />
      </div>
      {cancelled_on === null && <LimitNotice />}
      <ErrorNotice>
        {send.error &&
          !isVacationRefusal(send.error) &&
          errorMessage(send.error, 'The receipt could not be sent. Please try again.')}
      </ErrorNotice>
      <VacationQuestion
        error={send.error}
        busy={send.isPending}
        onSend={() => sendBy('text', { even_on_vacation: true })}
        onClose={send.reset}
      />
      {send.data && (
        <DoneNotice>
          {send.variables.body.by === 'mail' ? (
            `Emailed to ${payer}.`
          ) : (
            <>
              Texted to {payer}.<TestModeNote />
            </>
          )}
        </DoneNotice>
      )}
    </Stack>
  )
}
