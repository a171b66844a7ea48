import { Button, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCheck, IconClock, IconQuestionMark } from '@tabler/icons-react'
import type { DojoClass } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'
import { useLayoutEffect, useRef } from 'react'
import { pluralize } from '../lib/text.ts'
import { formatMoney } from '../lib/money.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { type ClassGroup, groupByClass } from '../students/class-groups.ts'
import { Badge } from '../ui/badge.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import styles from './payment-list.module.css'
import { type MarkOptions, useMarkPayment } from './use-mark-payment.ts'
import type { PaymentState, ReducedPrice } from './use-payments.ts'

type ListProps = {
  students: readonly Student[]
  classes: readonly DojoClass[]
  stateOf: (student: Student) => PaymentState
  priceOf: (student: Student) => ReducedPrice | undefined
  markOptions: MarkOptions
}

const COLUMNS = ['Student Name', 'Monthly Fee', 'Type', 'Payment Status', 'Actions']
const typeLabel = (student: Student) => (student.is_trial ? 'Trial' : 'Regular')

/** A table on a wide desktop, else cards. */
export function PaymentList(props: ListProps) {
  const isWide = useMediaQuery('(min-width: 62em)', true)
  return useLayout() === 'desktop' && isWide ? <PaymentTable {...props} /> : <PaymentCards {...props} />
}

const PaymentTable = ({ students, stateOf, priceOf, markOptions }: ListProps) => (
  <DataTable columns={COLUMNS} className={styles.table}>
    <tbody>
      {students.map((student) => (
        <tr key={student.id}>
          <th scope="row">
            <StudentLink id={student.id}>{student.name}</StudentLink>
          </th>
          <td>
            <Fee student={student} price={priceOf(student)} />
          </td>
          <td>{typeLabel(student)}</td>
          <td>
            <PaidBadge state={stateOf(student)} isTrial={student.is_trial} />
          </td>
          <td>
            <MarkButtons student={student} state={stateOf(student)} {...markOptions} price={priceOf(student)} />
          </td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)

const PaymentCards = ({ students, stateOf, priceOf, markOptions }: ListProps) => (
  <ul className={styles.cards}>
    {students.map((student) => (
      <li key={student.id} className={styles.card}>
        <div className={styles.head}>
          <StudentLink id={student.id} className={styles.name}>
            {student.name}
          </StudentLink>
          <PaidBadge state={stateOf(student)} isTrial={student.is_trial} />
        </div>
        <span className={styles.about}>
          <Fee student={student} price={priceOf(student)} /> · {typeLabel(student)}
        </span>
        <MarkButtons student={student} state={stateOf(student)} {...markOptions} price={priceOf(student)} />
      </li>
    ))}
  </ul>
)

/** What the student pays, with the fee and the reason beside it where it is less; then the instructor's note. */
const Fee = ({ student: { monthly_payment_amount, price_note }, price }: { student: Student; price: ReducedPrice | undefined }) => (
  <>
    {formatMoney(price?.amount ?? monthly_payment_amount)}
    {price && (
      <span className={styles.reason}>
        {' '}
        of {formatMoney(monthly_payment_amount)}, {price.reason}
      </span>
    )}
    {price_note && <span className={styles.reason}> ({price_note})</span>}
  </>
)

/** The list grouped by class; each class can be collapsed. */
export const PaymentGroups = ({ students, classes, stateOf, priceOf, markOptions }: ListProps) =>
  groupByClass(students, classes).map((group) => (
    <Disclosure key={group.id} startsOpen summary={<GroupSummary group={group} stateOf={stateOf} />}>
      <PaymentList students={group.students} classes={classes} stateOf={stateOf} priceOf={priceOf} markOptions={markOptions} />
    </Disclosure>
  ))

const GroupSummary = ({ group: { id, name, students }, stateOf }: { group: ClassGroup } & Pick<ListProps, 'stateOf'>) => (
  <>
    <span className={styles.name}>{id === 'unassigned' ? 'No Class Assigned' : name}</span>
    <span className={styles.about}>
      {pluralize(students.length, 'student')}
      {students.every((student) => stateOf(student) !== 'unconfirmed') &&
        `, ${students.filter((student) => stateOf(student) === 'paid').length} paid`}
    </span>
  </>
)

const ICONS = { paid: IconCheck, owed: IconClock, unconfirmed: IconQuestionMark, trial: undefined }
const TONES = { paid: 'green', owed: 'orange', unconfirmed: 'plain', trial: 'plain' } as const

/** A student without a record is unpaid, also on trial, but only students who are expected to pay are highlighted. */
function PaidBadge({ state, isTrial }: { state: PaymentState; isTrial: boolean }) {
  const variant = state === 'unpaid' ? (isTrial ? 'trial' : 'owed') : state
  const Icon = ICONS[variant]
  return (
    <span className={styles.state}>
      <Badge tone={TONES[variant]}>
        {Icon && <Icon size={16} aria-hidden />}
        {state === 'paid' ? 'Paid' : 'Unpaid'}
      </Badge>
      {state === 'unconfirmed' && <span className={styles.about}> not confirmed</span>}
    </span>
  )
}

/** The button of the current status is disabled, and both are while the status is unconfirmed. */
function MarkButtons({ student, state, ...options }: { student: Student; state: PaymentState } & MarkOptions) {
  const mark = useMarkPayment(student, options)
  const actions = useFocusHandover()
  const forStudent = <VisuallyHidden>{` for ${student.name}`}</VisuallyHidden>
  return (
    <div ref={actions} className={styles.actions}>
      <Button variant="light" size="sm" disabled={state !== 'unpaid'} onClick={() => mark('paid')}>
        Mark Paid{forStudent}
      </Button>
      <Button variant="subtle" color="gray" size="sm" disabled={state !== 'paid'} onClick={() => mark('unpaid')}>
        Mark Unpaid{forStudent}
      </Button>
    </div>
  )
}

/** A mark disables its own button, so the row's other button takes over the focus. */
function useFocusHandover() {
  const actions = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (actions.current?.querySelector(':disabled') === document.activeElement)
      actions.current?.querySelector<HTMLElement>('button:enabled')?.focus()
  })
  return actions
}
