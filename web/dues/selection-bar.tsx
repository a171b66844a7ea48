import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { MAX_MARKS } from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FootBar } from '../ui/foot-bar.tsx'
import styles from '../ui/selection-bar.module.css'
import type { PaymentStatus } from './mark-notice.ts'
import type { GetStudentMonth, PaymentState } from './use-payments.ts'
import kit from '../ui/kit.module.css'

type Props = {
  students: readonly Student[]
  visibleIds: ReadonlySet<string>
  getStudentMonth: GetStudentMonth
  onMark: (students: readonly Student[], status: PaymentStatus) => Promise<void>
  onSelectAll: () => void
  onUnselect: (ids: readonly string[]) => void
}

/** How long the bar stays after a tap, so that a double tap does not hit the row below it. */
const DOUBLE_TAP_MS = 700
const waitForDoubleTap = () => new Promise((resolve) => setTimeout(resolve, DOUBLE_TAP_MS))

/** The students whose status would change to paid, and to unpaid. */
type StudentsByNewStatus = Record<PaymentStatus, Student[]>

const filterByState = (
  students: readonly Student[],
  state: PaymentState,
  getStudentMonth: GetStudentMonth,
) => students.filter((student) => getStudentMonth(student).state === state)

export function SelectionBar(props: Props) {
  const { students, visibleIds, getStudentMonth, onMark, onSelectAll, onUnselect } = props
  const [pendingMark, setPendingMark] = useState<{
    status: PaymentStatus
    students: StudentsByNewStatus
  } | null>(null)
  const currentStudents: StudentsByNewStatus = {
    paid: filterByState(students, 'unpaid', getStudentMonth),
    unpaid: filterByState(students, 'paid', getStudentMonth),
  }
  const studentsToMark = pendingMark?.students ?? currentStudents
  const hiddenCount = students.filter(({ id }) => !visibleIds.has(id)).length
  const unselect = () => onUnselect(students.map(({ id }) => id))
  const mark = async (status: PaymentStatus) => {
    setPendingMark({ status, students: currentStudents })
    await Promise.all([onMark(currentStudents[status], status), waitForDoubleTap()])
    unselect()
    setPendingMark(null)
  }
  const renderMarkButton = (status: PaymentStatus) =>
    studentsToMark[status].length > 0 && (
      <BusyButton
        variant={status === 'paid' ? 'filled' : 'default'}
        busy={pendingMark !== null}
        busyLabel={pendingMark?.status === status ? 'Marking...' : ''}
        disabled={students.length > MAX_MARKS}
        onClick={() => void mark(status)}
      >
        {`Mark ${studentsToMark[status].length} ${status}`}
      </BusyButton>
    )
  return (
    <FootBar place="selection">
      <div role="region" aria-label="Selected students" className={`${kit.spread} ${styles.bar}`}>
        <Summary
          {...{ students, hiddenCount, getStudentMonth }}
          unpaidStudents={studentsToMark.paid}
        />
        <SelectionButtons
          visibleCount={visibleIds.size}
          isAllSelected={visibleIds.size <= students.length - hiddenCount}
          isDisabled={pendingMark !== null}
          onSelectAll={onSelectAll}
          onClear={unselect}
        />
        <div className={styles.actions}>
          {renderMarkButton('unpaid')}
          {renderMarkButton('paid')}
        </div>
      </div>
    </FootBar>
  )
}

type SummaryProps = Pick<Props, 'students' | 'getStudentMonth'> & {
  hiddenCount: number
  unpaidStudents: readonly Student[]
}

function Summary({ students, hiddenCount, unpaidStudents, getStudentMonth }: SummaryProps) {
  const maySeeTotals = useCan()('money.see')
  const paidCount = filterByState(students, 'paid', getStudentMonth).length
  const nothingDueCount = filterByState(students, 'nothing_due', getStudentMonth).length
  return (
    <p role="status" className={styles.text}>
      {pluralize(students.length, 'student')} selected
      {hiddenCount > 0 && `, ${hiddenCount} not shown`}
      {unpaidStudents.length > 0 && paidCount > 0 && `, ${paidCount} already paid`}
      {nothingDueCount > 0 && `, ${nothingDueCount} with nothing due`}
      {unpaidStudents.length > 0 && maySeeTotals && (
        <span className={styles.sum}>
          {formatMoney(sumDollars(unpaidStudents.map((student) => getStudentMonth(student).due)))}
        </span>
      )}
      {students.length > MAX_MARKS && (
        <span className={styles.sum}>{`At most ${MAX_MARKS} at a time`}</span>
      )}
    </p>
  )
}

type SelectionButtonsProps = {
  visibleCount: number
  isAllSelected: boolean
  isDisabled: boolean
  onSelectAll: () => void
  onClear: () => void
}

const SelectionButtons = (props: SelectionButtonsProps) => (
  <div className={styles.side}>
    {!props.isAllSelected && (
      <Button variant="subtle" px="xs" disabled={props.isDisabled} onClick={props.onSelectAll}>
        All {props.visibleCount}
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
