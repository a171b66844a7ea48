import type { DojoClass } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'
import { useMediaQuery } from '@mantine/hooks'
import { showMoney } from '../lib/money.ts'
import { useShell } from '../lib/shell.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { MarkButtons } from './mark-buttons.tsx'
import { PaidBadge } from './paid-badge.tsx'
import type { PaymentState } from './payment-state.ts'
import styles from './payments.module.css'
import type { MarkOptions } from './use-mark-payment.ts'

export type ListProps = {
  students: readonly Student[]
  classes: readonly DojoClass[]
  stateOf: (student: Student) => PaymentState
  marking: MarkOptions
}

const COLUMNS = ['Student Name', 'Monthly Fee', 'Type', 'Payment Status', 'Actions']
const typeOf = (student: Student) => (student.is_trial ? 'Trial' : 'Regular')

/** A table on a desktop that has the room, else cards. */
export function PaymentList(props: ListProps) {
  const isRoomy = useMediaQuery('(min-width: 62em)', true)
  return useShell() === 'desktop' && isRoomy ? <PaymentTable {...props} /> : <PaymentCards {...props} />
}

const PaymentTable = ({ students, stateOf, marking }: ListProps) => (
  <DataTable columns={COLUMNS} className={styles.table}>
    <tbody>
      {students.map((student) => (
        <tr key={student.id}>
          <th scope="row">{student.name}</th>
          <td>{showMoney(student.monthly_payment_amount)}</td>
          <td>{typeOf(student)}</td>
          <td>
            <PaidBadge state={stateOf(student)} isTrial={student.is_trial} />
          </td>
          <td>
            <MarkButtons student={student} state={stateOf(student)} {...marking} />
          </td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)

const PaymentCards = ({ students, stateOf, marking }: ListProps) => (
  <ul className={styles.cards}>
    {students.map((student) => (
      <li key={student.id} className={styles.card}>
        <div className={styles.head}>
          <span className={styles.name}>{student.name}</span>
          <PaidBadge state={stateOf(student)} isTrial={student.is_trial} />
        </div>
        <span className={styles.about}>
          {showMoney(student.monthly_payment_amount)} · {typeOf(student)}
        </span>
        <MarkButtons student={student} state={stateOf(student)} {...marking} />
      </li>
    ))}
  </ul>
)
