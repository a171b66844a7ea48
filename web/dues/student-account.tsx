import { formatMoney } from '@tatami/contract/lib/money'
import { Button } from '@mantine/core'
import { IconCash, IconDots } from '@tabler/icons-react'
import { type Account, ledgerApi, type LedgerLine } from '@tatami/contract/ledger/ledger'
import type { Student, StudentPage } from '@tatami/contract/students/students'
import { useState } from 'react'
import { formatDate, formatInstantDate, today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { thisMonth } from '../lib/month.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { PAYMENT_DRAFT } from '../lib/student-drafts.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { balanceOf, chargeName, describeBalance, lineName, takenBackBy } from './account-figures.ts'
import type { Act } from './payment-form.ts'
import styles from './student-account.module.css'
import { ReceiptButton, type Done, LedgerUndoBar, useUndoAct } from './undo-bar.tsx'
import { useReducedPrice } from './payment-reads.ts'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'

const PaymentDialog = lazyComponent(() =>
  import('./payment-dialog.tsx').then((part) => part.PaymentDialog),
)

/** A student's account: what is asked and owed, everything that was entered, and the way to enter more. */
export function StudentAccount({ page: { student, payments } }: { page: StudentPage }) {
  const account = useRetryingQuery(endpointQuery(ledgerApi.account, { params: { id: student.id } }))
  const { price } = useReducedPrice(student)
  const isSettled = payments.at(-1)?.payment_status === 'paid'
  const standing = isSettled ? 'settled' : 'nothing_due'
  const [act, setAct] = useState<Act | null>(() =>
    drafts.subjectOf(PAYMENT_DRAFT) === student.id ? 'payment' : null,
  )
  const [done, setDone] = useState<Done | null>(null)
  const preload = { onPointerEnter: PaymentDialog.preload, onFocus: PaymentDialog.preload }
  return (
    <div className={kit.stackSmall}>
      <div className={kit.row}>
        <Button
          variant="light"
          leftSection={<IconCash size={20} aria-hidden />}
          onClick={() => setAct('payment')}
          {...preload}
        >
          Take payment
        </Button>
        <Button
          variant="default"
          px="sm"
          aria-haspopup="dialog"
          aria-label="Charge, refund or write off"
          onClick={() => setAct('charge')}
          {...preload}
        >
          <IconDots size={20} aria-hidden />
        </Button>
      </div>
      {account.data && <Figures student={student} account={account.data} onDone={setDone} />}
      <Loading of={account} failed="The account could not be loaded.">
        <SkeletonBlock height="6rem" />
      </Loading>
      {act && (
        <PaymentDialog
          student={student}
          month={thisMonth()}
          price={price?.amount}
          standing={standing}
          act={act}
          onClose={() => setAct(null)}
          onDone={setDone}
        />
      )}
      {done && <LedgerUndoBar key={done.actId} done={done} onGone={() => setDone(null)} />}
    </div>
  )
}

type FiguresProps = { student: Student; account: Account; onDone: (done: Done) => void }

function Figures({ student, account, onDone }: FiguresProps) {
  const owed = account.charges.filter((charge) => charge.owed > 0)
  const balance = balanceOf(account)
  return (
    <>
      <p className={styles.balance} data-owes={balance.owed > 0}>
        {describeBalance(balance, today()) || 'Nothing is owed'}
      </p>
      {owed.length > 0 && (
        <ul className={styles.list} aria-label="What is owed">
          {owed.map((charge) => (
            <li key={charge.id ?? 'now'} className={styles.row}>
              <span className={styles.what}>
                {chargeName(charge)}
                <span className={kit.note}>
                  {[
                    charge.owed < charge.amount && `of ${formatMoney(charge.amount)}`,
                    charge.reason,
                    charge.note,
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </span>
              <span className={styles.amount}>{formatMoney(charge.owed)}</span>
            </li>
          ))}
          {account.credit > 0 && (
            <li className={styles.row}>
              <span className={styles.what}>Credit</span>
              <span className={styles.amount}>{formatMoney(-account.credit)}</span>
            </li>
          )}
        </ul>
      )}
      <Lines student={student} account={account} onDone={onDone} />
    </>
  )
}

const FIRST_ACTS = 5

/** What each press did, newest first. Lines that were taken back stay, struck through. */
function Lines({ student, account: { charges, lines }, onDone }: FiguresProps) {
  const [isAll, setAll] = useState(false)
  const takenBack = takenBackBy(lines)
  const acts = [
    ...Map.groupBy(
      lines.filter(({ reverses }) => reverses === null),
      ({ act_id }) => act_id,
    ),
  ]
  if (acts.length === 0) return <p className={kit.note}>Nothing has been entered yet.</p>
  return (
    <>
      <ul className={styles.list} aria-label="Entries">
        {acts.slice(0, isAll ? undefined : FIRST_ACTS).map(([actId, ofAct]) => {
          const isLive = ofAct.some(({ id }) => !takenBack.has(id))
          const [first] = ofAct
          return (
            <li key={actId} className={styles.entry}>
              <div className={`${kit.spread} ${styles.act}`}>
                <span className={kit.note}>
                  {formatDate(first!.made_on)}
                  {first!.created_by && `, entered by ${first!.created_by}`}
                  {first!.note && `: ${first!.note}`}
                </span>
                {isLive && (
                  <div className={`${kit.wrap} ${styles.ofAct}`}>
                    {ofAct.some(({ kind }) => kind === 'payment') && (
                      <ReceiptButton
                        size="sm"
                        variant="subtle"
                        actId={actId}
                        studentId={student.id}
                      />
                    )}
                    {first!.created_by && (
                      <TakeBack actId={actId} name={lineName(first!, charges)} onDone={onDone} />
                    )}
                  </div>
                )}
              </div>
              <ul className={styles.lines}>
                {ofAct.map((line) => (
                  <Line
                    key={line.id}
                    line={line}
                    name={lineName(line, charges)}
                    takenBack={takenBack.get(line.id)}
                  />
                ))}
              </ul>
            </li>
          )
        })}
      </ul>
      {!isAll && acts.length > FIRST_ACTS && (
        <Button variant="default" onClick={() => setAll(true)}>
          Show all {acts.length} entries
        </Button>
      )}
    </>
  )
}

type LineProps = { line: LedgerLine; name: string; takenBack: LedgerLine | undefined }

function Line({ line, name, takenBack }: LineProps) {
  const amount = formatMoney(line.amount)
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        {takenBack ? <del>{name}</del> : name}
        <span className={kit.note}>
          {line.reason}
          {takenBack && (
            <>
              {line.reason && ' · '}
              taken back {formatInstantDate(takenBack.created_at)}
              {takenBack.created_by && ` by ${takenBack.created_by}`}
            </>
          )}
        </span>
      </span>
      <span className={styles.amount}>{takenBack ? <del>{amount}</del> : amount}</span>
    </li>
  )
}

type TakeBackProps = { actId: string; name: string; onDone: (done: Done) => void }

/** Takes back what one press entered; that can be undone in its turn. */
function TakeBack({ actId, name, onDone }: TakeBackProps) {
  const undo = useUndoAct(({ act_id }) => onDone({ actId: act_id, words: `${name} taken back` }))
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
