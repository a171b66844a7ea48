import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useState } from 'react'
import { fromTimeInput, toTimeInput } from './times.ts'

const STEP_SECONDS = 300

/** "start" or "end", so that the button's name does not contain the field's name, "Start time". */
const startOrEnd = (label: string) => label.replace(/ .*/, '').toLowerCase()

const focusInput = (input: HTMLInputElement | null) => input?.focus()

type Props = GetInputPropsReturnType & {
  label: string
  times: string[]
  value?: string
}

export function TimeField({ label, times, value = '', onChange, ...field }: Props) {
  const isListed = value === '' || times.includes(value)
  const [hasChosenOther, setHasChosenOther] = useState(false)
  const isOther = hasChosenOther || !isListed
  const switchLabel = isOther ? 'Choose from the list' : 'Other time…'
  const toggle = () => {
    setHasChosenOther(!isOther)
    if (!isListed) onChange('')
  }
  return (
    <Stack gap={4} justify="space-between">
      {isOther ? (
        <TextInput
          {...field}
          type="time"
          label={label}
          required
          step={STEP_SECONDS}
          ref={hasChosenOther ? focusInput : undefined}
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
          aria-label={`${switchLabel} (${startOrEnd(label)})`}
          onClick={toggle}
        >
          {switchLabel}
        </Button>
      </div>
    </Stack>
  )
}
