import { nextMonth } from '@tatami/contract/lib/calendar-day'
import { Text } from '@mantine/core'
import type { Student } from '@tatami/contract/students/students'
import type { FeeStart } from '@tatami/contract/students/student-form'
import { useEffect, useRef } from 'react'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { useSettledMonth } from './settled-month.ts'
import type { StudentForm } from './student-form.ts'

type Props = {
  student: Student
  value: StudentForm['fee_from']
  onChange: (start: FeeStart) => void
}

const LABEL = 'New fee starts'

/** Asks from when a higher fee applies; by default from next month. */
export function FeeStartChoice({ student, value, onChange }: Props) {
  const { isPending, reason } = useSettledMonth(student)
  const isSettled = reason !== undefined
  const month = thisMonth()
  const thisMonthName = formatMonth(month)
  useEffect(() => {
    if (isSettled && value === 'this_month') onChange('next_month')
  }, [isSettled, value, onChange])
  const question = useRef<HTMLDivElement>(null)
  useEffect(() => {
    question.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const nextMonthWords = `${thisMonthName} doesn’t change.`
  const thisMonthWords = `If part of ${thisMonthName} is already paid, it keeps its price.`
  return (
    <div ref={question} data-wide style={{ scrollMarginBlock: '1rem' }}>
      <Text fw={600} mb="xs" aria-hidden>
        {LABEL}
      </Text>
      <ChoiceBar
        label={LABEL}
        choices={[
          { value: 'next_month', label: formatMonth(nextMonth(month)) },
          { value: 'this_month', label: thisMonthName, isDisabled: isPending || isSettled },
        ]}
        value={value || 'next_month'}
        onChange={onChange}
      />
      <Text c="dimmed" size="sm" mt="xs" role="status">
        {reason ?? (value === 'this_month' ? thisMonthWords : nextMonthWords)}
      </Text>
    </div>
  )
}
