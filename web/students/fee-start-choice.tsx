import { nextMonth } from '@tatami/contract/lib/calendar-day'
import { Text } from '@mantine/core'
import type { Student } from '@tatami/contract/students/students'
import type { FeeStart } from '@tatami/contract/students/student-form'
import { useEffect, useRef } from 'react'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { useFixedMonthPrice } from './fixed-month-price.ts'
import type { StudentForm } from './student-form.ts'

type Props = {
  student: Student
  value: StudentForm['fee_from']
  onChange: (start: FeeStart) => void
}

const LABEL = 'New fee starts'

export function FeeStartChoice({ student, value, onChange }: Props) {
  const { isPending, explanation } = useFixedMonthPrice(student)
  const isPriceFixed = explanation !== undefined
  const month = thisMonth()
  const thisMonthName = formatMonth(month)
  useEffect(() => {
    if (isPriceFixed && value === 'this_month') onChange('next_month')
  }, [isPriceFixed, value, onChange])
  const choiceRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    choiceRef.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const nextMonthNote = `The fee for ${thisMonthName} won’t change.`
  const thisMonthNote = `If part of ${thisMonthName} is already paid, its fee stays the same.`
  return (
    <div ref={choiceRef} data-wide style={{ scrollMarginBlock: '1rem' }}>
      <Text fw={600} mb="xs" aria-hidden>
        {LABEL}
      </Text>
      <ChoiceBar
        label={LABEL}
        choices={[
          { value: 'next_month', label: formatMonth(nextMonth(month)) },
          { value: 'this_month', label: thisMonthName, isDisabled: isPending || isPriceFixed },
        ]}
        value={value || 'next_month'}
        onChange={onChange}
      />
      <Text c="dimmed" size="sm" mt="xs" role="status">
        {explanation ?? (value === 'this_month' ? thisMonthNote : nextMonthNote)}
      </Text>
    </div>
  )
}
