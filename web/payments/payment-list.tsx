import { useMediaQuery } from '@mantine/hooks'
import type { DojoClass } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'
import { useDeferredValue } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { type ClassGroup, groupByClass } from '../students/class-groups.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { type Entry, groupFamilies } from './group-families.ts'
import { PaymentCards } from './payment-cards.tsx'
import styles from './payment-list.module.css'
import type { RowTools } from './row-tools.ts'
import type { FactsOf } from './use-payments.ts'

const WIDE = '(min-width: 62em)'
const PaymentTable = lazyComponent(() => import('./payment-table.tsx').then((part) => part.PaymentTable), null, { atOnce: true })
// A phone does without; elsewhere it comes while the payments do.
if (matchMedia(WIDE).matches) PaymentTable.preload()

/** More than fit on any screen. */
const INITIAL_COUNT = 24

export type ListProps = {
  entries: readonly Entry[]
  factsOf: FactsOf
  selected: ReadonlySet<string>
  tools: RowTools
}
type Props = Omit<ListProps, 'entries'> & { students: readonly Student[] }

/** A table on a wide desktop, else cards. */
function Rows(props: ListProps) {
  const isWide = useMediaQuery(WIDE, true)
  return useLayout() === 'desktop' && isWide ? <PaymentTable {...props} /> : <PaymentCards {...props} />
}

/** By name; the students of one payer stand together below the payer. */
export function PaymentList({ students, ...rest }: Props) {
  // The first screenful renders at once and the rest in a deferred render, which input interrupts.
  const maxEntries = useDeferredValue(Infinity, INITIAL_COUNT)
  return <Rows entries={groupFamilies(students).slice(0, maxEntries)} {...rest} />
}

const alone = (student: Student): Entry => ({ payer: null, students: [student] })

/** The list grouped by class; each class can be collapsed. */
export const PaymentGroups = ({ students, classes, ...rest }: Props & { classes: readonly DojoClass[] }) =>
  groupByClass(students, classes).map((group) => (
    <Disclosure key={group.id} startsOpen summary={<GroupSummary group={group} factsOf={rest.factsOf} />}>
      <Rows entries={group.students.map(alone)} {...rest} />
    </Disclosure>
  ))

const GroupSummary = ({ group: { id, name, students }, factsOf }: { group: ClassGroup; factsOf: FactsOf }) => {
  const states = students.map((student) => factsOf(student).state)
  return (
    <>
      <span className={styles.name}>{id === 'unassigned' ? 'No Class Assigned' : name}</span>
      <span className={styles.about}>
        {pluralize(students.length, 'student')}
        {!states.includes('unconfirmed') && `, ${states.filter((state) => state === 'paid').length} paid`}
      </span>
    </>
  )
}
