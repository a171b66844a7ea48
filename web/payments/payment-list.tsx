import type { DojoClass } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'
import { showMoney } from '../kernel/money.ts'
import { useShell } from '../kernel/shell.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { MarkButtons } from './mark-buttons.tsx'
import type { Month } from './month.ts'
import { PaidBadge } from './paid-badge.tsx'
import styles from './payments.module.css'

export type ListProps = { students: readonly Student[]; classes: readonly DojoClass[]; paid: ReadonlySet<string>; month: Month }

const COLUMNS = ['Student Name', 'Monthly Fee', 'Type', 'Payment Status', 'Actions']
const typeOf = (student: Student) => (student.is_trial ? 'Trial' : 'Regular')

/** A table on a desktop, cards on a phone. */
export const PaymentList = (props: ListProps) => (useShell() === 'desktop' ? <PaymentTable {...props} /> : <PaymentCards {...props} />)

const PaymentTable = ({ students, paid, month }: ListProps) => (
  <DataTable columns={COLUMNS} className={styles.table}>
    <tbody>
      {students.map((student) => (
        <tr key={student.id}>
          <th scope="row">{student.name}</th>
          <td>{showMoney(student.monthly_payment_amount)}</td>
          <td>{typeOf(student)}</td>
          <td>
            <PaidBadge isPaid={paid.has(student.id)} isTrial={student.is_trial} />
          </td>
          <td>
            <MarkButtons student={student} isPaid={paid.has(student.id)} month={month} />
          </td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)

const PaymentCards = ({ students, paid, month }: ListProps) => (
  <ul className={styles.cards}>
    {students.map((student) => (
      <li key={student.id} className={styles.card}>
        <div className={styles.head}>
          <span className={styles.name}>{student.name}</span>
          <PaidBadge isPaid={paid.has(student.id)} isTrial={student.is_trial} />
        </div>
        <span className={styles.about}>
          {showMoney(student.monthly_payment_amount)} · {typeOf(student)}
        </span>
        <MarkButtons student={student} isPaid={paid.has(student.id)} month={month} />
      </li>
    ))}
  </ul>
)
