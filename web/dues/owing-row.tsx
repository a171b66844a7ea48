import { formatMoney } from '@tatami/contract/lib/money'
import { Button, Checkbox } from '@mantine/core'
import type { OwingFamily } from '@tatami/contract/dues/owing'
import type { OnlineStudent } from '@tatami/contract/online-payment/online-students'
import { memo } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { formatDate, today } from '../lib/dates.ts'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { OnlineNote } from './online-notes.tsx'
import styles from './owing.module.css'
import { PromiseButton, PromiseNote } from './promise-note.tsx'
import kit from '../ui/kit.module.css'

export const TAKE_PAYMENT_DRAFT = 'take-payment'
export const LATE_FEE_RULE_DRAFT = 'late-fee-rule'

type Props = {
  family: OwingFamily
  online: OnlineStudent | undefined
  isSelected: boolean
  onSelect: (families: OwingFamily[], isSelected: boolean) => void
  onPay: (family: OwingFamily) => void
}

/** "since Sep 1, 2026", "due today" or "due Dec 1, 2026" */
function describeDueDay(oldestDay = today()): string {
  if (oldestDay === today()) return 'due today'
  return `${oldestDay < today() ? 'since' : 'due'} ${formatDate(oldestDay)}`
}

export const OwingRow = memo(function OwingRow(props: Props) {
  const { family, online, isSelected, onSelect, onPay } = props
  const { payer, students, total, charges, promise } = family
  const name = payer?.name ?? students[0]?.name ?? ''
  return (
    <li className={styles.row} data-payer={payer !== null}>
      <Checkbox
        size="md"
        className={styles.box}
        aria-label={`Select ${name}`}
        checked={isSelected}
        onChange={(event) => onSelect([family], event.currentTarget.checked)}
      />
      {payer && <span className={styles.name}>{payer.name}</span>}
      <span className={payer ? styles.students : styles.name}>
        {students.map(({ student_id, name: studentName, owed, left_on }, index) => (
          <span key={student_id}>
            {index > 0 && ', '}
            <StudentLink id={student_id}>{studentName}</StudentLink>
            {students.length > 1 && ` ${formatMoney(owed)}`}
            {left_on && <span className={kit.note}> (left {formatDate(left_on)})</span>}
          </span>
        ))}
      </span>
      <span className={styles.amount}>
        <span className={styles.total}>{formatMoney(total)}</span>{' '}
        <span className={styles.since}>{describeDueDay(charges[0]?.due_on)}</span>
      </span>
      {(promise ?? online) && (
        <span className={styles.note}>
          {promise && <PromiseNote promise={promise} />}
          {online && <OnlineNote online={online} />}
        </span>
      )}
      <WithRight right="money.take">
        <span className={styles.actions}>
          <Button variant="light" size="sm" onClick={() => onPay(family)}>
            Take payment<VisuallyHidden>{` from ${name}`}</VisuallyHidden>
          </Button>
          <PromiseButton
            studentIds={students.map(({ student_id }) => student_id)}
            name={name}
            promise={promise}
          />
        </span>
      </WithRight>
    </li>
  )
})
