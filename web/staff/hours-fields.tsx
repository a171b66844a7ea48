import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { today } from '../lib/dates.ts'
import { cleanTypedText, type useSchemaForm } from '../lib/form.ts'
import kit from '../ui/kit.module.css'
import { type HoursValues, OTHER_TASK, TASK_CHOICES } from './hours-form.ts'

const digitsOnly = (text: string) => text.replace(/\D/g, '').slice(0, 4)

type Props = {
  form: ReturnType<typeof useSchemaForm<HoursValues, unknown>>
  /** If false, the start and the end are required. */
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
        <TextInput
          {...form.getInputProps('minutes')}
          label="Minutes"
          required
          inputMode="numeric"
          onChange={(event) => form.setFieldValue('minutes', cleanTypedText(event, digitsOnly))}
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
