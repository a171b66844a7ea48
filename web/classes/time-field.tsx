import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useState } from 'react'
import { fromField, toField } from './times.ts'

const FIVE_MINUTES = 300

/** "start" or "end": with "time", the button would have the same name as the field. */
const partOf = (label: string) => label.replace(/ .*/, '').toLowerCase()

const focusInput = (input: HTMLInputElement | null) => input?.focus()

type Props = GetInputPropsReturnType & {
  label: string
  times: string[]
  value?: string
}

export function TimeField({ label, times, value = '', onChange, ...field }: Props) {
  const isListed = value === '' || times.includes(value)
  const [wantsOther, setWantsOther] = useState(false)
  const isOther = wantsOther || !isListed
  const switchTo = isOther ? 'Choose from the list' : 'Other time…'
  const toggle = () => {
    setWantsOther(!isOther)
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
          step={FIVE_MINUTES}
          ref={wantsOther ? focusInput : undefined}
          value={toField(value)}
          onChange={(event) => onChange(fromField(event.currentTarget.value))}
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
          aria-label={`${switchTo} (${partOf(label)})`}
          onClick={toggle}
        >
          {switchTo}
        </Button>
      </div>
    </Stack>
  )
}
