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
import type { FactsOf, PaymentState } from './use-payments.ts'
import kit from '../ui/kit.module.css'

type Props = {
  /** Who is selected, whether the search shows them or not. */
  students: readonly Student[]
  shownIds: ReadonlySet<string>
  factsOf: FactsOf
  onMark: (students: readonly Student[], status: PaymentStatus) => Promise<void>
  onSelectAll: () => void
  onUnselect: (ids: readonly string[]) => void
}

/** As long as a second tap of a double tap may take: until then the bar stands in front of the rows. */
const SHIELD_MS = 700
const pause = () => new Promise((resolve) => setTimeout(resolve, SHIELD_MS))

/** What is done with the selected students: one call marks them all. */
export function SelectionBar({
  students,
  shownIds,
  factsOf,
  onMark,
  onSelectAll,
  onUnselect,
}: Props) {
  const [marking, setMarking] = useState<PaymentStatus | null>(null)
  const [atPress, setAtPress] = useState<Record<PaymentStatus, Student[]> | null>(null)
  const inState = (state: PaymentState) =>
    students.filter((student) => factsOf(student).state === state)
  // Whoever owes nothing is not marked together with others.
  const now = { paid: inState('unpaid'), unpaid: inState('paid') }
  const nothingDueCount = inState('nothing_due').length
  // What the buttons say does not change under the finger.
  const toMark = atPress ?? now
  const hidden = students.filter(({ id }) => !shownIds.has(id)).length
  const isTooMany = students.length > MAX_MARKS
  const press = (status: PaymentStatus) => async () => {
    setMarking(status)
    setAtPress(now)
    await Promise.all([onMark(now[status], status), pause()])
    // Who was selected meanwhile stays so.
    onUnselect(students.map(({ id }) => id))
    setMarking(null)
    setAtPress(null)
  }
  const button = (status: PaymentStatus) =>
    toMark[status].length > 0 && (
      <BusyButton
        variant={status === 'paid' ? 'filled' : 'default'}
        busy={marking !== null}
        busyLabel={marking === status ? 'Marking...' : ''}
        disabled={isTooMany}
        onClick={() => void press(status)()}
      >
        {`Mark ${toMark[status].length} ${status}`}
      </BusyButton>
    )
  return (
    <FootBar place="selection">
      <div role="region" aria-label="Selected students" className={`${kit.spread} ${styles.bar}`}>
        <p role="status" className={styles.words}>
          {pluralize(students.length, 'student')} selected
          {hidden > 0 && `, ${hidden} not shown`}
          {nothingDueCount > 0 && `, ${nothingDueCount} with nothing due`}
          {toMark.paid.length > 0 && (
            <span className={styles.sum}>
              {formatMoney(sumDollars(toMark.paid.map((student) => factsOf(student).due)))}
            </span>
          )}
          {isTooMany && <span className={styles.sum}>{`At most ${MAX_MARKS} at once`}</span>}
        </p>
        <div className={styles.side}>
          {shownIds.size > students.length - hidden && (
            <Button variant="subtle" px="xs" disabled={marking !== null} onClick={onSelectAll}>
              All {shownIds.size}
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            px="xs"
            aria-label="Clear the selection"
            disabled={marking !== null}
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
