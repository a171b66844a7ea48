import { formatMoney } from '@tatami/contract/lib/money'
import { IconUsers } from '@tabler/icons-react'
import type { GuardianSummary } from '@tatami/contract/guardians/guardians'
import type { Student } from '@tatami/contract/students/students'
import { memo } from 'react'
import { today } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { describeBalance } from './account-figures.ts'
import { summarizeFamily } from './group-families.ts'
import { OnlineProblem } from './online-notes.tsx'
import type { ListProps } from './payment-list.tsx'
import styles from './payment-list.module.css'
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
import type { RowTools } from './row-tools.ts'
import kit from '../ui/kit.module.css'

export const PaymentCards = (props: ListProps) => (
  <ul className={`${kit.cards} ${styles.cards}`}>{renderRows(props, FamilyHead, PaymentCard)}</ul>
)

/** Pressing the card outside its controls opens the student's payments. */
const PaymentCard = memo(function PaymentCard(props: RowProps) {
  const { student, isInFamily, isSelected, tools, ...studentMonth } = props
  return (
    <li
      className={`${kit.card} ${styles.card}`}
      data-selected={isSelected}
      data-family={isInFamily}
    >
      <RowCheckbox
        label={`Select ${student.name}`}
        student={student}
        isSelected={isSelected}
        isDisabled={studentMonth.state === 'unconfirmed'}
        onSelect={(isChecked) => tools.onSelect([student.id], isChecked)}
      />
      <div className={styles.facts}>
        <StudentLink id={student.id} className={styles.name}>
          {student.name}
        </StudentLink>
        <p className={styles.fee}>
          <Fee student={student} price={studentMonth.price} /> · {studentTypeLabel(student)}{' '}
          <PaidBadge month={studentMonth} />
        </p>
        <FeeReason student={student} price={studentMonth.price} />
        <BalanceLine month={studentMonth} />
        <OnlineProblem online={studentMonth.online} />
      </div>
      <div className={styles.actions}>
        <MarkButtons student={student} month={studentMonth} tools={tools} />
      </div>
      <OpenButton student={student} tools={tools} className={styles.open} />
    </li>
  )
})

function FamilyHead({ payer, students, getStudentMonth, tools }: FamilyProps) {
  const { balance, ...figures } = summarizeFamily(students, getStudentMonth)
  return (
    <li className={`${kit.spread} ${styles.familyHead}`}>
      <div className={styles.payer}>
        <span className={styles.name}>
          <IconUsers size={18} aria-hidden className={styles.familyIcon} />
          {payer.name}
        </span>
        <span className={`${kit.note} ${styles.balance}`} data-owes={balance.owed > 0}>
          {describeBalance(balance, today()) || pluralize(students.length, 'student')}
        </span>
      </div>
      <MarkAllButton payer={payer} {...figures} tools={tools} />
    </li>
  )
}

type MarkAllProps = {
  payer: GuardianSummary
  unpaidStudents: readonly Student[]
  due: number
  tools: RowTools
}

export const MarkAllButton = ({ payer, unpaidStudents, due, tools }: MarkAllProps) => (
  <button
    type="button"
    className={styles.markPaid}
    disabled={unpaidStudents.length === 0}
    onClick={() => tools.onMarkAll(unpaidStudents, payer.name)}
  >
    Mark all paid
    <VisuallyHidden>{` for ${payer.name}`}</VisuallyHidden>
    <span className={styles.sum}>{unpaidStudents.length > 0 ? formatMoney(due) : '\u00a0'}</span>
  </button>
)
