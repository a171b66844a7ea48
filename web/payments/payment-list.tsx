import { Button, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCheck, IconChevronRight, IconClock, IconQuestionMark } from '@tabler/icons-react'
import type { DojoClass } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'
import { useLayoutEffect, useRef } from 'react'
import { pluralize } from '../lib/text.ts'
import { formatMoney } from '../lib/money.ts'
import { useShell } from '../lib/shell.tsx'
import { groupByClass } from '../students/class-groups.ts'
import { DataTable } from '../ui/data-table.tsx'
import styles from './payment-list.module.css'
import { type MarkOptions, useMarkPayment } from './use-mark-payment.ts'
import type { PaymentState } from './use-payments.ts'

type ListProps = {
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
          <td>{formatMoney(student.monthly_payment_amount)}</td>
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
          {formatMoney(student.monthly_payment_amount)} · {typeOf(student)}
        </span>
        <MarkButtons student={student} state={stateOf(student)} {...marking} />
      </li>
    ))}
  </ul>
)

/** The same list class by class; each class can be folded away. */
export const PaymentGroups = ({ students, classes, stateOf, marking }: ListProps) =>
  groupByClass(students, classes).map((group) => (
    <details key={group.id} open className={styles.group}>
      <summary className={styles.summary}>
        <IconChevronRight size={20} aria-hidden className={styles.chevron} />
        <span className={styles.name}>{group.id === 'unassigned' ? 'No Class Assigned' : group.name}</span>
        <span className={styles.about}>
          {pluralize(group.students.length, 'student')}
          {group.students.every((student) => stateOf(student) !== 'unconfirmed') &&
            `, ${group.students.filter((student) => stateOf(student) === 'paid').length} paid`}
        </span>
      </summary>
      <PaymentList students={group.students} classes={classes} stateOf={stateOf} marking={marking} />
    </details>
  ))

const ICONS = { paid: IconCheck, owed: IconClock, unconfirmed: IconQuestionMark, trial: undefined }

/** No record is unpaid, for those on trial, too; but only who is expected to pay stands out. */
function PaidBadge({ state, isTrial }: { state: PaymentState; isTrial: boolean }) {
  const look = state === 'unpaid' ? (isTrial ? 'trial' : 'owed') : state
  const Icon = ICONS[look]
  return (
    <span className={styles.state}>
      <span className={styles.badge} data-state={look}>
        {Icon && <Icon size={16} aria-hidden />}
        {state === 'paid' ? 'Paid' : 'Unpaid'}
      </span>
      {state === 'unconfirmed' && <span className={styles.about}> not confirmed</span>}
    </span>
  )
}

/** Each is disabled when it is so already, and both while it is not known how it is. */
function MarkButtons({ student, state, ...options }: { student: Student; state: PaymentState } & MarkOptions) {
  const mark = useMarkPayment(student, options)
  const acts = useKeptFocus()
  const who = <VisuallyHidden>{` for ${student.name}`}</VisuallyHidden>
  return (
    <div ref={acts} className={styles.acts}>
      <Button variant="light" size="sm" disabled={state !== 'unpaid'} onClick={() => mark('paid')}>
        Mark Paid{who}
      </Button>
      <Button variant="subtle" color="gray" size="sm" disabled={state !== 'paid'} onClick={() => mark('unpaid')}>
        Mark Unpaid{who}
      </Button>
    </div>
  )
}

/** A mark disables the button that made it: the row's other button takes over the focus. */
function useKeptFocus() {
  const acts = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (acts.current?.querySelector(':disabled') === document.activeElement)
      acts.current?.querySelector<HTMLElement>('button:enabled')?.focus()
  })
  return acts
}
