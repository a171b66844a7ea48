/* oxlint-disable jsx-a11y/no-redundant-roles,
   jsx-a11y/no-interactive-element-to-noninteractive-role --
   Some browsers drop the table roles of rows that are laid out as grids, so they are repeated. */
import { formatMoney } from '@tatami/contract/lib/money'
import { IconUsers } from '@tabler/icons-react'
import { memo } from 'react'
import { today } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { StudentLink } from '../ui/student-link.tsx'
import { describeBalance } from './account-figures.ts'
import { summarizeFamily } from './group-families.ts'
import { MarkAllButton } from './payment-cards.tsx'
import { OnlineProblem } from './online-notes.tsx'
import type { ListProps } from './payment-list.tsx'
import styles from './payment-table.module.css'
import {
  BalanceLine,
  Fee,
  FeeReason,
  MarkButtons,
  OpenButton,
  PaidBadge,
  renderRows,
  type FamilyProps,
  type RowProps,
  RowCheckbox,
  studentTypeLabel,
} from './payment-row.tsx'
import kit from '../ui/kit.module.css'

const COLUMNS = ['Student Name', 'Monthly Fee', 'Type', 'Payment Status', 'Actions']

/** The list on a wide screen. The rows are grids, so the browser can skip those out of view. */
export function PaymentTable(props: ListProps) {
  const { entries, getStudentMonth, selectedIds, tools } = props
  const selectableStudents = entries.flatMap(({ students }) =>
    students.filter((student) => getStudentMonth(student).state !== 'unconfirmed'),
  )
  const ids = selectableStudents.map(({ id }) => id)
  const selectedCount = ids.filter((id) => selectedIds.has(id)).length
  return (
    <table role="table" className={styles.table}>
      <thead role="rowgroup">
        <tr role="row" className={styles.row}>
          <td role="cell" className={styles.box}>
            <RowCheckbox
              label="Select all shown"
              isSelected={ids.length > 0 && selectedCount === ids.length}
              isPartial={selectedCount > 0}
              isDisabled={ids.length === 0}
              onSelect={(isChecked) => tools.onSelect(ids, isChecked)}
            />
          </td>
          {COLUMNS.map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{renderRows(props, FamilyRow, StudentRow)}</tbody>
    </table>
  )
}

const StudentRow = memo(function StudentRow(props: RowProps) {
  const { student, isInFamily, isSelected, tools, ...studentMonth } = props
  return (
    <tr role="row" className={styles.row} data-selected={isSelected} data-family={isInFamily}>
      <td role="cell" className={styles.box}>
        <RowCheckbox
          label={`Select ${student.name}`}
          isSelected={isSelected}
          isDisabled={studentMonth.state === 'unconfirmed'}
          onSelect={(isChecked) => tools.onSelect([student.id], isChecked)}
        />
      </td>
      <th role="rowheader" scope="row" className={`${kit.name} ${styles.name}`}>
        <StudentLink id={student.id}>{student.name}</StudentLink>
      </th>
      <td role="cell">
        <Fee student={student} price={studentMonth.price} />
        <FeeReason student={student} price={studentMonth.price} />
      </td>
      <td role="cell">{studentTypeLabel(student)}</td>
      <td role="cell" className={styles.status}>
        <PaidBadge month={studentMonth} />
        <BalanceLine month={studentMonth} />
        <OnlineProblem online={studentMonth.online} />
      </td>
      <td role="cell">
        <div className={styles.actions}>
          <MarkButtons student={student} month={studentMonth} tools={tools} />
          <OpenButton student={student} tools={tools} className={styles.open} />
        </div>
      </td>
    </tr>
  )
})

function FamilyRow({ payer, students, getStudentMonth, selectedIds, tools }: FamilyProps) {
  const { balance, fees, ...figures } = summarizeFamily(students, getStudentMonth)
  const ids = students.map(({ id }) => id)
  const selectedCount = ids.filter((id) => selectedIds.has(id)).length
  return (
    <tr role="row" className={`${styles.row} ${styles.payer}`}>
      <td role="cell" className={styles.box}>
        <RowCheckbox
          label={`Select all students of ${payer.name}`}
          isSelected={selectedCount === ids.length}
          isPartial={selectedCount > 0}
          isDisabled={students.some((student) => getStudentMonth(student).state === 'unconfirmed')}
          onSelect={(isChecked) => tools.onSelect(ids, isChecked)}
        />
      </td>
      <th role="rowheader" scope="row" className={`${kit.name} ${styles.name}`}>
        <IconUsers size={18} aria-hidden className={styles.icon} />
        {payer.name}
      </th>
      <td role="cell">{formatMoney(fees)}</td>
      <td role="cell">{pluralize(students.length, 'student')}</td>
      <td role="cell" className={styles.owed} data-owes={balance.owed > 0}>
        {describeBalance(balance, today()) || (figures.unpaidStudents.length === 0 && 'All paid')}
      </td>
      <td role="cell" className={styles.end}>
        <MarkAllButton payer={payer} {...figures} tools={tools} />
      </td>
    </tr>
  )
}
