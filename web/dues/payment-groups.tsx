import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { pluralize } from '../lib/text.ts'
import { type ClassGroup, groupByClass } from '../lib/class-groups.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import type { Entry } from './group-families.ts'
import { type PaymentListProps, PaymentRows } from './payment-list.tsx'
import styles from './payment-list.module.css'
import type { FactsOf } from './use-payments.ts'
import kit from '../ui/kit.module.css'

const alone = (student: Student): Entry => ({ payer: null, students: [student] })

/** The list grouped by class; each class can be collapsed. */
export const PaymentGroups = ({
  students,
  classes,
  ...rest
}: PaymentListProps & { classes: readonly DojoClass[] }) =>
  groupByClass(students, classes).map((group) => (
    <Disclosure
      key={group.id}
      startsOpen
      summary={<GroupSummary group={group} factsOf={rest.factsOf} />}
    >
      <PaymentRows entries={group.students.map(alone)} {...rest} />
    </Disclosure>
  ))

type GroupSummaryProps = { group: ClassGroup; factsOf: FactsOf }

const GroupSummary = ({ group: { id, name, students }, factsOf }: GroupSummaryProps) => {
  const states = students.map((student) => factsOf(student).state)
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
