import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useState } from 'react'
import { focusOnMount } from '../lib/modal.ts'
import { fromTimeInput, toTimeInput } from './times.ts'

const STEP_SECONDS = 5 * 60

/** Shortens "Start time" to "start", so that only the field itself is named "Start time". */
const shortenLabel = (label: string) => label.replace(/ .*/, '').toLowerCase()

type Props = GetInputPropsReturnType & {
  label: string
  times: string[]
  value?: string
}

export function TimeField({ label, times, value = '', onChange, ...field }: Props) {
  const isListedTime = value === '' || times.includes(value)
  const [hasChosenOtherTime, setHasChosenOtherTime] = useState(false)
  const isOtherTime = hasChosenOtherTime || !isListedTime
  const switchLabel = isOtherTime ? 'Choose from the list' : 'Other time…'
  const toggle = () => {
    setHasChosenOtherTime(!isOtherTime)
    if (!isListedTime) onChange('')
  }
  return (
    <Stack gap={4} justify="space-between">
      {isOtherTime ? (
        <TextInput
          {...field}
          type="time"
          label={label}
          required
          step={STEP_SECONDS}
          ref={hasChosenOtherTime ? focusOnMount : undefined}
          value={toTimeInput(value)}
          onChange={(event) => onChange(fromTimeInput(event.currentTarget.value))}
        />
      ) : (
        <NativeSelect
          {...field}
          label={label}
          required
          data={[{ value: '', label: 'Choose' }, ...times]}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      <div>
        <Button
          variant="subtle"
          size="sm"
          px="xs"
          aria-label={`${switchLabel} (${shortenLabel(label)})`}
          onClick={toggle}
        >
          {switchLabel}
        </Button>
      </div>
    </Stack>
  )
}
