import { SimpleGrid, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { today } from '../lib/dates.ts'
import { moveEndWithStart } from '../classes/times.ts'

export type DayAndTimes = { day: string; start_time: string; end_time: string }

type Props = {
  values: DayAndTimes
  onChange: (values: Partial<DayAndTimes>) => void
  getInputProps: (field: keyof DayAndTimes) => GetInputPropsReturnType
}

export const DayAndTimeFields = ({ values, onChange, getInputProps }: Props) => (
  <>
    <TextInput
      {...getInputProps('day')}
      type="date"
      label="Date"
      required
      min={today()}
      onChange={(event) => onChange({ day: event.currentTarget.value })}
    />
    <SimpleGrid cols={2} spacing="md">
      <TextInput
        {...getInputProps('start_time')}
        type="time"
        label="Start time"
        required
        onChange={({ currentTarget: { value } }) =>
          onChange({
            start_time: value,
            end_time: moveEndWithStart(values.start_time, values.end_time, value),
          })
        }
      />
      <TextInput
        {...getInputProps('end_time')}
        type="time"
        label="End time"
        required
        onChange={(event) => onChange({ end_time: event.currentTarget.value })}
      />
    </SimpleGrid>
  </>
)
