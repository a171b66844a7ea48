import { Button, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { formatDecimal, formatShortMoney, sanitizeMoneyInput } from '@tatami/contract/lib/money'
import { studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { cleanTypedText } from '../lib/form.ts'
import { endpointQuery } from '../lib/query.ts'
import styles from './student-fields.module.css'
import kit from '../ui/kit.module.css'
import type { StudentForm } from './student-form.ts'
import { findUsualFees } from './usual-fees.ts'

type Props = {
  form: Pick<UseFormReturnType<StudentForm>, 'getInputProps' | 'setFieldValue' | 'values'>
}

export function FeeField({ form }: Props) {
  const { is_trial } = form.values
  return (
    <TextInput
      label="Monthly payment amount"
      description={is_trial ? 'Not needed during a trial' : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required={!is_trial}
      inputMode="decimal"
      autoComplete="off"
      placeholder="0.00"
      leftSection="$"
      {...form.getInputProps('monthly_payment_amount')}
      onChange={(event) =>
        form.setFieldValue('monthly_payment_amount', cleanTypedText(event, sanitizeMoneyInput))
      }
    />
  )
}

/** Buttons that fill in a fee that classmates pay. */
export function UsualFees({ form }: Props) {
  const { data: students = [] } = useQuery(endpointQuery(studentsApi.list))
  const { class_preferences, is_trial } = form.values
  const fees = findUsualFees(students, class_preferences)
  if (is_trial || fees.length === 0) return null
  return (
    <div role="group" aria-label="Usual fees" className={`${kit.row} ${styles.usualFees}`}>
      <span className={kit.note} aria-hidden>
        Usual fees
      </span>
      {fees.map((fee) => (
        <Button
          key={fee}
          variant="default"
          onClick={() => form.setFieldValue('monthly_payment_amount', formatDecimal(fee))}
        >
          {formatShortMoney(fee)}
        </Button>
      ))}
    </div>
  )
}
