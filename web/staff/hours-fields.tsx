import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core'
import { MAX_SHIFT_MINUTES } from '@tatami/contract/staff/hours'
import { today } from '../lib/dates.ts'
import type { useSchemaForm } from '../lib/form.ts'
import kit from '../ui/kit.module.css'
import { type HoursValues, OTHER_TASK, TASK_CHOICES } from './hours-form.ts'

type Props = {
  form: ReturnType<typeof useSchemaForm<HoursValues, unknown>>
  /** Without it, the start and the end are required. */
  mayEnterMinutes: boolean
  /** False for a suggested class, whose day and task are known. */
  hasDayAndTask: boolean
}

export function HoursFields({ form, mayEnterMinutes, hasDayAndTask }: Props) {
  const { has_minutes_only: hasMinutesOnly, task_choice: taskChoice } = form.values
  return (
    <>
      {hasDayAndTask && (
        <TextInput {...form.getInputProps('day')} type="date" label="Day" required max={today()} />
      )}
      {hasMinutesOnly ? (
        <NumberInput
          {...form.getInputProps('minutes')}
          label="Minutes"
          required
          min={1}
          max={MAX_SHIFT_MINUTES}
          allowDecimal={false}
        />
      ) : (
        <div className={kit.fieldPair}>
          <TextInput {...form.getInputProps('from')} type="time" label="Start" required />
          <TextInput {...form.getInputProps('until')} type="time" label="End" required />
        </div>
      )}
      {mayEnterMinutes && (
        <Switch
          label="Enter only the minutes"
          checked={hasMinutesOnly}
          onChange={({ currentTarget }) =>
            form.setFieldValue('has_minutes_only', currentTarget.checked)
          }
        />
      )}
      {hasDayAndTask && (
        <NativeSelect {...form.getInputProps('task_choice')} label="Task" data={TASK_CHOICES} />
      )}
      {hasDayAndTask && taskChoice === OTHER_TASK && (
        <TextInput
          {...form.getInputProps('own_task')}
          label="What did you do?"
          placeholder="Cleaning"
          required
          maxLength={60}
        />
      )}
    </>
  )
}
