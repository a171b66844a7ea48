import type { DojoClass } from '@tatami/contract/classes/classes'
import { pluralize } from '../lib/text.ts'
import { type ClassGroup, groupByClass } from '../lib/class-groups.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { type PaymentListProps, PaymentRows } from './payment-list.tsx'
import styles from './payment-list.module.css'
import type { GetStudentMonth } from './use-payments.ts'
import kit from '../ui/kit.module.css'

export const PaymentGroups = ({
  students,
  classes,
  ...listProps
}: PaymentListProps & { classes: readonly DojoClass[] }) =>
  groupByClass(students, classes).map((group) => (
    <Disclosure
      key={group.id}
      startsOpen
      summary={<GroupSummary group={group} getStudentMonth={listProps.getStudentMonth} />}
    >
      <PaymentRows
        entries={group.students.map((student) => ({ payer: null, students: [student] }))}
        {...listProps}
      />
    </Disclosure>
  ))

type GroupSummaryProps = { group: ClassGroup; getStudentMonth: GetStudentMonth }

const GroupSummary = ({ group: { id, name, students }, getStudentMonth }: GroupSummaryProps) => {
  const states = students.map((student) => getStudentMonth(student).state)
  return (
    <>
      <span className={styles.name}>{id === 'unassigned' ? 'No Class Assigned' : name}</span>
      <span className={kit.note}>
        {pluralize(students.length, 'student')}
        {!states.includes('unconfirmed') &&
          `, ${states.filter((state) => state === 'paid').length} paid`}
      </span>
    </>
  )
}
