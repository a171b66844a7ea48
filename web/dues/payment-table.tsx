/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- Browsers differ in whether a row that is laid out as a grid is a row still. */
import { formatMoney } from '@tatami/contract/lib/money'
import { IconUsers } from '@tabler/icons-react'
import { memo } from 'react'
import { today } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { StudentLink } from '../ui/student-link.tsx'
import { describeBalance } from './account-figures.ts'
import { familyFigures } from './family.ts'
import { MarkAllButton } from './payment-cards.tsx'
import type { ListProps } from './payment-list.tsx'
import styles from './payment-table.module.css'
import {
  BalanceLine,
  Fee,
  FeeReason,
  PaidBadge,
  entryRows,
  type FamilyProps,
  RowActions,
  type RowProps,
  Select,
  typeLabel,
} from './row-parts.tsx'
import kit from '../ui/kit.module.css'

const COLUMNS = ['Student Name', 'Monthly Fee', 'Type', 'Payment Status', 'Actions']

/** The list as a wide desktop shows it. Its rows are grids, of which the browser lays out only those in view; the roles say what they are. */
export function PaymentTable(props: ListProps) {
  const { entries, factsOf, selected, tools } = props
  const choosable = entries.flatMap(({ students }) =>
    students.filter((student) => factsOf(student).state !== 'unconfirmed'),
  )
  const ids = choosable.map(({ id }) => id)
  const chosen = ids.filter((id) => selected.has(id))
  return (
    <table role="table" className={styles.table}>
      <thead role="rowgroup">
        <tr role="row" className={styles.row}>
          <td role="cell" className={styles.box}>
            <Select
              label="Select all shown"
              isSelected={ids.length > 0 && chosen.length === ids.length}
              isPart={chosen.length > 0}
              isDisabled={ids.length === 0}
              onSelect={(is) => tools.onSelect(ids, is)}
            />
          </td>
          {COLUMNS.map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{entryRows(props, FamilyRow, StudentRow)}</tbody>
    </table>
  )
}

const StudentRow = memo(function StudentRow({
  student,
  isOfFamily,
  isSelected,
  tools,
  ...facts
}: RowProps) {
  return (
    <tr role="row" className={styles.row} data-selected={isSelected} data-family={isOfFamily}>
      <td role="cell" className={styles.box}>
        <Select
          label={`Select ${student.name}`}
          isSelected={isSelected}
          isDisabled={facts.state === 'unconfirmed'}
          onSelect={(is) => tools.onSelect([student.id], is)}
        />
      </td>
      <th role="rowheader" scope="row" className={`${kit.name} ${styles.name}`}>
        <StudentLink id={student.id}>{student.name}</StudentLink>
      </th>
      <td role="cell">
        <Fee student={student} price={facts.price} />
        <FeeReason student={student} price={facts.price} />
      </td>
      <td role="cell">{typeLabel(student)}</td>
      <td role="cell" className={styles.status}>
        <PaidBadge facts={facts} />
        <BalanceLine facts={facts} />
      </td>
      <td role="cell">
        <RowActions student={student} facts={facts} tools={tools} />
      </td>
    </tr>
  )
})

/** The payer's line: what the family owes, and one press that pays the month of all. */
function FamilyRow({ payer, students, factsOf, selected, tools }: FamilyProps) {
  const { balance, isPaid, fees, ...figures } = familyFigures(students, factsOf)
  const ids = students.map(({ id }) => id)
  const chosen = ids.filter((id) => selected.has(id)).length
  return (
    <tr role="row" className={`${styles.row} ${styles.payer}`}>
      <td role="cell" className={styles.box}>
        <Select
          label={`Select all of ${payer.name}`}
          isSelected={chosen === ids.length}
          isPart={chosen > 0}
          isDisabled={students.some((student) => factsOf(student).state === 'unconfirmed')}
          onSelect={(is) => tools.onSelect(ids, is)}
        />
      </td>
      <th role="rowheader" scope="row" className={`${kit.name} ${styles.name}`}>
        <IconUsers size={18} aria-hidden className={styles.icon} />
        {payer.name}
      </th>
      <td role="cell">{formatMoney(fees)}</td>
      <td role="cell">{pluralize(students.length, 'student')}</td>
      <td role="cell" className={styles.owed} data-owes={balance.owed > 0}>
        {describeBalance(balance, today()) || (isPaid ? 'All paid' : '')}
      </td>
      <td role="cell" className={styles.end}>
        <MarkAllButton payer={payer} {...figures} tools={tools} />
      </td>
    </tr>
  )
}
