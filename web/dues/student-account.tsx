import { formatMoney } from '@tatami/contract/lib/money'
import { Button } from '@mantine/core'
import { IconCash, IconDots } from '@tabler/icons-react'
import { chargeName } from '@tatami/contract/ledger/charge-words'
import { type Account, ledgerApi, type LedgerLine } from '@tatami/contract/ledger/ledger'
import { taxWords } from '@tatami/contract/ledger/tax-words'
import type { StudentPage } from '@tatami/contract/students/students'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { useCan, useCurrentUser } from '../lib/current-user.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { formatDate, formatInstantDate, today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { thisMonth } from '../lib/month.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { PAYMENT_DRAFT } from '../lib/student-drafts.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { toBalance, describeBalance, nameLine, findLiveReversals } from './account-figures.ts'
import { MoneyOnItsWay } from './money-on-its-way.tsx'
import type { LedgerAction } from './payment-form.ts'
import styles from './student-account.module.css'
import { ReceiptButton, type LedgerNotice, LedgerUndoBar, useUndoLedgerAct } from './undo-bar.tsx'
import { useReducedPrice } from './payment-reads.ts'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'

const PaymentDialog = lazyComponent(() => import('./payment-dialog.tsx'), 'PaymentDialog')

type Props = {
  page: StudentPage
  extraButtons?: ReactNode
}

export function StudentAccount({ page: { student, payments }, extraButtons }: Props) {
  const account = useRetryingQuery(endpointQuery(ledgerApi.account, { params: { id: student.id } }))
  const can = useCan()
  const { price } = useReducedPrice(student)
  const isSettled = payments.at(-1)?.payment_status === 'paid'
  const [action, setAction] = useState<LedgerAction | null>(() =>
    drafts.subjectOf(PAYMENT_DRAFT) === student.id ? 'payment' : null,
  )
  const [notice, setNotice] = useState<LedgerNotice | null>(null)
  return (
    <div className={`${kit.stackSmall} ${styles.account}`} ref={useScrollFromLink(account.data)}>
      <div className={kit.row}>
        <Button
          variant="light"
          leftSection={<IconCash size={20} aria-hidden />}
          onClick={() => setAction('payment')}
          {...PaymentDialog.preloadOnHover}
        >
          Take payment
        </Button>
        <Button
          variant="default"
          px="sm"
          aria-haspopup="dialog"
          aria-label={can('money.give_back') ? 'Charge, refund or write off' : 'Charge'}
          onClick={() => setAction('charge')}
          {...PaymentDialog.preloadOnHover}
        >
          <IconDots size={20} aria-hidden />
        </Button>
        {extraButtons}
      </div>
      {account.data && (
        <>
          <MoneyOnItsWay amount={account.data.on_its_way} />
          <OpenCharges account={account.data} />
          <Entries studentId={student.id} account={account.data} onDone={setNotice} />
        </>
      )}
      <Loading query={account} error="The account could not be loaded.">
        <SkeletonBlock height="6rem" />
      </Loading>
      {action && (
        <PaymentDialog
          student={student}
          month={thisMonth()}
          price={price?.amount}
          monthStatus={isSettled ? 'settled' : 'nothing_due'}
          action={action}
          onClose={() => setAction(null)}
          onDone={setNotice}
        />
      )}
      {notice && (
        <LedgerUndoBar key={notice.actId} notice={notice} onDismiss={() => setNotice(null)} />
      )}
    </div>
  )
}

function useScrollFromLink(account: Account | undefined) {
  const element = useRef<HTMLDivElement>(null)
  const state = useLocation().state as { section?: string } | null
  const isLinked = useNavigationType() !== NavigationType.Pop && state?.section === 'account'
  const shouldScroll = isLinked && account !== undefined
  useEffect(() => {
    if (!shouldScroll) return undefined
    // Waits a frame, because a new page scrolls to its top first.
    const frame = requestAnimationFrame(() => element.current?.scrollIntoView())
    return () => cancelAnimationFrame(frame)
  }, [shouldScroll])
  return element
}

function OpenCharges({ account }: { account: Account }) {
  const owedCharges = account.charges.filter((charge) => charge.owed > 0)
  const balance = toBalance(account)
  return (
    <>
      <p className={styles.balance} data-owes={balance.owed > 0}>
        {describeBalance(balance, today()) || 'Nothing is owed'}
      </p>
      {owedCharges.length > 0 && (
        <ul className={styles.list} aria-label="What is owed">
          {owedCharges.map((charge) => (
            <li key={charge.id ?? 'current'} className={styles.row}>
              <span className={styles.label}>
                {chargeName(charge, schoolBeltTestName())}
                <span className={kit.note}>
                  {joinNonEmpty(
                    [
                      joinNonEmpty([
                        charge.owed < charge.amount && `of ${formatMoney(charge.amount)}`,
                        charge.reason,
                      ]),
                      taxWords(charge),
                    ],
                    ' · ',
                  )}
                </span>
              </span>
              <span className={styles.amount}>{formatMoney(charge.owed)}</span>
            </li>
          ))}
          {account.credit > 0 && (
            <li className={styles.row}>
              <span className={styles.label}>Credit</span>
              <span className={styles.amount}>{formatMoney(-account.credit)}</span>
            </li>
          )}
        </ul>
      )}
    </>
  )
}

const INITIAL_ENTRIES = 5

type EntriesProps = {
  studentId: string
  account: Account
  onDone: (notice: LedgerNotice) => void
}

function Entries({ account, ...props }: EntriesProps) {
  const [isAllShown, setAllShown] = useState(false)
  const lines = account.lines.filter(({ reverses }) => reverses === null)
  const acts = [...Map.groupBy(lines, ({ act_id }) => act_id)]
  const reversals = findLiveReversals(account.lines)
  if (acts.length === 0) return <p className={kit.note}>No entries yet.</p>
  return (
    <>
      <ul className={styles.list} aria-label="Entries">
        {acts.slice(0, isAllShown ? undefined : INITIAL_ENTRIES).map(([actId, actLines]) => (
          <Entry key={actId} {...{ actId, account, reversals, ...props }} lines={actLines} />
        ))}
      </ul>
      {!isAllShown && acts.length > INITIAL_ENTRIES && (
        <Button variant="default" onClick={() => setAllShown(true)}>
          Show all {acts.length} entries
        </Button>
      )}
    </>
  )
}

type EntryProps = EntriesProps & {
  actId: string
  lines: LedgerLine[]
  reversals: ReadonlyMap<string, LedgerLine>
}

function Entry({ studentId, account, actId, lines, reversals, onDone }: EntryProps) {
  const can = useCan()
  const user = useCurrentUser()
  const [firstLine] = lines
  if (!firstLine) return null
  const { created_by, made_on, note } = firstLine
  const isPaidOnline = lines.some(({ method }) => method === 'online')
  const followsPlan = lines.some(({ follows_plan }) => follows_plan)
  const isLive = lines.some(({ id }) => !reversals.has(id))
  return (
    <li className={styles.entry}>
      <div className={`${kit.spread} ${styles.head}`}>
        <span className={kit.note}>
          {formatDate(made_on)}
          {created_by && `, entered by ${created_by}`}
          {note && `: ${note}`}
        </span>
        {isLive && (
          <div className={`${kit.wrap} ${styles.actions}`}>
            {lines.some(({ kind }) => kind === 'payment') && (
              <ReceiptButton size="sm" variant="subtle" actId={actId} studentId={studentId} />
            )}
            {isPaidOnline && can('money.see') && (
              <Button
                component={LayoutLink}
                to={`${PATHS.onlinePayments}?payment=${actId}`}
                size="sm"
                variant="subtle"
              >
                Details
              </Button>
            )}
            {created_by &&
              !isPaidOnline &&
              !followsPlan &&
              (can('money.give_back') || created_by === user.name) && (
                <UndoButton
                  actId={actId}
                  name={nameLine(firstLine, account.charges)}
                  onDone={onDone}
                />
              )}
          </div>
        )}
      </div>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <Line
            key={line.id}
            line={line}
            name={nameLine(line, account.charges)}
            reversal={reversals.get(line.id)}
          />
        ))}
      </ul>
    </li>
  )
}

type LineProps = { line: LedgerLine; name: string; reversal: LedgerLine | undefined }

function Line({ line, name, reversal }: LineProps) {
  const amount = formatMoney(line.amount)
  const undoneText =
    reversal &&
    joinNonEmpty([`undone ${formatInstantDate(reversal.created_at)}`, reversal.created_by], ' by ')
  return (
    <li className={styles.row}>
      <span className={styles.label}>
        {reversal ? <del>{name}</del> : name}
        <span className={kit.note}>
          {joinNonEmpty([line.reason, taxWords(line), undoneText], ' · ')}
        </span>
      </span>
      <span className={styles.amount}>{reversal ? <del>{amount}</del> : amount}</span>
    </li>
  )
}

type UndoProps = { actId: string; name: string; onDone: (notice: LedgerNotice) => void }

function UndoButton({ actId, name, onDone }: UndoProps) {
  const undo = useUndoLedgerAct(({ act_id }) =>
    onDone({ actId: act_id, message: `${name} undone` }),
  )
  return (
    <BusyButton
      variant="subtle"
      color="gray"
      size="sm"
      busy={undo.isPending}
      busyLabel="Undoing..."
      aria-label={`Undo ${name}`}
      onClick={() => undo.mutate({ params: { id: actId } })}
    >
      Undo
    </BusyButton>
  )
}
