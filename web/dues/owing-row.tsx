import { formatMoney } from '@tatami/contract/lib/money'
import { Button, Checkbox } from '@mantine/core'
import type { OwingFamily } from '@tatami/contract/dues/owing'
import { memo } from 'react'
import { formatDate } from '../lib/dates.ts'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './owing.module.css'
import { PromiseButton, PromiseNote } from './promise-note.tsx'
import kit from '../ui/kit.module.css'

export const TAKE_PAYMENT_DRAFT = 'take-payment'

type Props = {
  family: OwingFamily
  isChosen: boolean
  onChoose: (families: OwingFamily[], isChosen: boolean) => void
  onTake: (family: OwingFamily) => void
}

/** One family: who, how much, since when, and what was promised. */
export const OwingRow = memo(function OwingRow({ family, isChosen, onChoose, onTake }: Props) {
  const { payer, students, total, since, promise } = family
  const name = payer?.name ?? students[0]!.name
  return (
    <li className={styles.row} data-payer={payer !== null}>
      <Checkbox
        size="md"
        className={styles.box}
        aria-label={`Choose ${name}`}
        checked={isChosen}
        onChange={(event) => onChoose([family], event.currentTarget.checked)}
      />
      {payer && <span className={styles.name}>{payer.name}</span>}
      <span className={payer ? styles.students : styles.name}>
        {students.map(({ student_id, name: student, owed }, index) => (
          <span key={student_id}>
            {index > 0 && ', '}
            <StudentLink id={student_id}>{student}</StudentLink>
            {students.length > 1 && ` ${formatMoney(owed)}`}
          </span>
        ))}
      </span>
      <span className={styles.total}>{formatMoney(total)}</span>
      <span className={styles.since}>since {formatDate(since)}</span>
      {promise && (
        <span className={styles.note}>
          <PromiseNote promise={promise} />
        </span>
      )}
      <span className={`${kit.wrap} ${styles.act}`}>
        <Button variant="light" size="sm" onClick={() => onTake(family)}>
          Take payment<VisuallyHidden>{` of ${name}`}</VisuallyHidden>
        </Button>
        <PromiseButton
          studentIds={students.map(({ student_id }) => student_id)}
          name={name}
          promise={promise}
        />
      </span>
    </li>
  )
})
