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

export function SelectionBar({
  students,
  shownIds,
  monthOf,
  onMark,
  onSelectAll,
  onUnselect,
}: Props) {
  const [press, setPress] = useState<{ status: PaymentStatus; groups: Groups } | null>(null)
  const inState = (state: PaymentState) =>
    students.filter((student) => monthOf(student).state === state)
  const currentGroups: Groups = { paid: inState('unpaid'), unpaid: inState('paid') }
  const nothingDueCount = inState('nothing_due').length
  // The labels do not change while the marks are sent.
  const toMark = press?.groups ?? currentGroups
  const hiddenCount = students.filter(({ id }) => !shownIds.has(id)).length
  const isTooMany = students.length > MAX_MARKS
  const mark = async (status: PaymentStatus) => {
    setPress({ status, groups: currentGroups })
    await Promise.all([onMark(currentGroups[status], status), pause()])
    // Students selected meanwhile stay selected.
    onUnselect(students.map(({ id }) => id))
    setPress(null)
  }
  const button = (status: PaymentStatus) =>
    toMark[status].length > 0 && (
      <BusyButton
        variant={status === 'paid' ? 'filled' : 'default'}
        busy={press !== null}
        busyLabel={press?.status === status ? 'Marking...' : ''}
        disabled={isTooMany}
        onClick={() => void mark(status)}
      >
        {`Mark ${toMark[status].length} ${status}`}
      </BusyButton>
    )
  return (
    <FootBar place="selection">
      <div role="region" aria-label="Selected students" className={`${kit.spread} ${styles.bar}`}>
        <p role="status" className={styles.words}>
          {pluralize(students.length, 'student')} selected
          {hiddenCount > 0 && `, ${hiddenCount} not shown`}
          {nothingDueCount > 0 && `, ${nothingDueCount} with nothing due`}
          {toMark.paid.length > 0 && (
            <span className={styles.sum}>
              {formatMoney(sumDollars(toMark.paid.map((student) => monthOf(student).due)))}
            </span>
          )}
          {isTooMany && <span className={styles.sum}>{`At most ${MAX_MARKS} at once`}</span>}
        </p>
        <div className={styles.side}>
          {shownIds.size > students.length - hiddenCount && (
            <Button variant="subtle" px="xs" disabled={press !== null} onClick={onSelectAll}>
              All {shownIds.size}
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            px="xs"
            aria-label="Clear the selection"
            disabled={press !== null}
            onClick={() => onUnselect(students.map(({ id }) => id))}
          >
            <IconX size={20} aria-hidden />
          </Button>
        </div>
        <div className={styles.acts}>
          {button('unpaid')}
          {button('paid')}
        </div>
      </div>
    </FootBar>
  )
}
