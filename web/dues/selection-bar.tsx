import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { MAX_MARKS } from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FootBar } from '../ui/foot-bar.tsx'
import styles from '../ui/selection-bar.module.css'
import type { PaymentStatus } from './mark-words.ts'
import type { MonthOf, PaymentState } from './use-payments.ts'
import kit from '../ui/kit.module.css'

type Props = {
  students: readonly Student[]
  shownIds: ReadonlySet<string>
  monthOf: MonthOf
  onMark: (students: readonly Student[], status: PaymentStatus) => Promise<void>
  onSelectAll: () => void
  onUnselect: (ids: readonly string[]) => void
}

/** The bar covers the rows until a double tap is over. */
const SHIELD_MS = 700
const pause = () => new Promise((resolve) => setTimeout(resolve, SHIELD_MS))

/** The students whom each button marks. */
type Groups = Record<PaymentStatus, Student[]>

const inState = (students: readonly Student[], state: PaymentState, monthOf: MonthOf) =>
  students.filter((student) => monthOf(student).state === state)

export function SelectionBar({
  students,
  shownIds,
  monthOf,
  onMark,
  onSelectAll,
  onUnselect,
}: Props) {
  const [press, setPress] = useState<{ status: PaymentStatus; groups: Groups } | null>(null)
  const currentGroups: Groups = {
    paid: inState(students, 'unpaid', monthOf),
    unpaid: inState(students, 'paid', monthOf),
  }
  // The labels do not change while the marks are sent.
  const toMark = press?.groups ?? currentGroups
  const hiddenCount = students.filter(({ id }) => !shownIds.has(id)).length
  const unselect = () => onUnselect(students.map(({ id }) => id))
  const mark = async (status: PaymentStatus) => {
    setPress({ status, groups: currentGroups })
    await Promise.all([onMark(currentGroups[status], status), pause()])
    // Students selected meanwhile stay selected.
    unselect()
    setPress(null)
  }
  const button = (status: PaymentStatus) =>
    toMark[status].length > 0 && (
      <BusyButton
        variant={status === 'paid' ? 'filled' : 'default'}
        busy={press !== null}
        busyLabel={press?.status === status ? 'Marking...' : ''}
        disabled={students.length > MAX_MARKS}
        onClick={() => void mark(status)}
      >
        {`Mark ${toMark[status].length} ${status}`}
      </BusyButton>
    )
  return (
    <FootBar place="selection">
      <div role="region" aria-label="Selected students" className={`${kit.spread} ${styles.bar}`}>
        <Summary {...{ students, hiddenCount, monthOf }} toPay={toMark.paid} />
        <SideButtons
          shownCount={shownIds.size}
          isAllSelected={shownIds.size <= students.length - hiddenCount}
          isDisabled={press !== null}
          onSelectAll={onSelectAll}
          onClear={unselect}
        />
        <div className={styles.acts}>
          {button('unpaid')}
          {button('paid')}
        </div>
      </div>
    </FootBar>
  )
}

type SummaryProps = Pick<Props, 'students' | 'monthOf'> & {
  hiddenCount: number
  toPay: readonly Student[]
}

function Summary({ students, hiddenCount, toPay, monthOf }: SummaryProps) {
  const nothingDueCount = inState(students, 'nothing_due', monthOf).length
  return (
    <p role="status" className={styles.words}>
      {pluralize(students.length, 'student')} selected
      {hiddenCount > 0 && `, ${hiddenCount} not shown`}
      {nothingDueCount > 0 && `, ${nothingDueCount} with nothing due`}
      {toPay.length > 0 && (
        <span className={styles.sum}>
          {formatMoney(sumDollars(toPay.map((student) => monthOf(student).due)))}
        </span>
      )}
      {students.length > MAX_MARKS && (
        <span className={styles.sum}>{`At most ${MAX_MARKS} at once`}</span>
      )}
    </p>
  )
}

type SideProps = {
  shownCount: number
  isAllSelected: boolean
  isDisabled: boolean
  onSelectAll: () => void
  onClear: () => void
}

const SideButtons = (props: SideProps) => (
  <div className={styles.side}>
    {!props.isAllSelected && (
      <Button variant="subtle" px="xs" disabled={props.isDisabled} onClick={props.onSelectAll}>
        All {props.shownCount}
      </Button>
    )}
    <Button
      variant="subtle"
      color="gray"
      px="xs"
      aria-label="Clear the selection"
      disabled={props.isDisabled}
      onClick={props.onClear}
    >
      <IconX size={20} aria-hidden />
    </Button>
  </div>
)
