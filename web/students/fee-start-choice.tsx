import { Text } from '@mantine/core'
import { nextMonth } from '@tatami/contract/month'
import type { FeeStart } from '@tatami/contract/students'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import type { StudentForm } from './student-form.ts'

type Props = {
  value: StudentForm['fee_from']
  onChange: (start: FeeStart) => void
}

const LABEL = 'The new fee counts from'

/** Asks from when a higher fee counts. Unless somebody says so, this month gets no dearer. */
export function FeeStartChoice({ value, onChange }: Props) {
  const month = thisMonth()
  const thisMonthName = formatMonth(month)
  return (
    <div>
      <Text fw={600} mb="xs" aria-hidden>
        {LABEL}
      </Text>
      <ChoiceBar
        label={LABEL}
        choices={[
          { value: 'next_month', label: formatMonth(nextMonth(month)) },
          { value: 'this_month', label: thisMonthName },
        ]}
        value={value || 'next_month'}
        onChange={onChange}
      />
      <Text c="dimmed" size="sm" mt="xs">
        {value === 'this_month'
          ? `If part of ${thisMonthName} is already paid, it keeps its price.`
          : `${thisMonthName} stays as it is.`}
      </Text>
    </div>
  )
}
