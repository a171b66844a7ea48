import { Radio } from '@mantine/core'
import { nextMonth } from '@tatami/contract/month'
import type { Student } from '@tatami/contract/students'
import { formatMoney } from '../lib/money.ts'
import { formatMonth, thisMonth } from '../lib/month.ts'
import type { StudentForm } from './student-form.ts'

type Props = {
  student: Pick<Student, 'monthly_payment_amount'>
  value: StudentForm['fee_from']
  onChange: (start: StudentForm['fee_from']) => void
}

/** Asks from when a higher fee counts. Unless somebody says so, this month gets no dearer. */
export function FeeStartChoice({ student, value, onChange }: Props) {
  const month = thisMonth()
  return (
    <Radio.Group
      label="The new fee counts from"
      description="If part of this month is already paid, this month keeps its price."
      value={value || 'next_month'}
      onChange={(start) => onChange(start)}
    >
      <Radio
        mt="xs"
        value="next_month"
        label={formatMonth(nextMonth(month))}
        description={`${formatMonth(month)} stays at ${formatMoney(student.monthly_payment_amount)}`}
      />
      <Radio mt="xs" value="this_month" label={`${formatMonth(month)}, this month`} />
    </Radio.Group>
  )
}
