import { Stack, Text, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { CLASS_NAME_HINT, leftOutOfClassName, lettersOnly } from '@tatami/contract/classes/classes'
import { type ChangeEvent, useState } from 'react'
import { sanitizeInput } from '../lib/form.ts'

export function ClassNameField({ onChange, ...field }: GetInputPropsReturnType) {
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget.value
    const earlier = input === '' ? [] : leftOut
    setLeftOut([...new Set([...earlier, ...leftOutOfClassName(input)])])
    onChange(sanitizeInput(event, lettersOnly))
  }
  return (
    <Stack gap={4}>
      <TextInput
        label="Class name"
        description={CLASS_NAME_HINT}
        required
        autoComplete="off"
        {...field}
        onChange={change}
      />
      <Text role="status" size="sm" c="dimmed">
        {leftOut.length > 0 && `Removed: ${leftOut.join(' ')}`}
      </Text>
    </Stack>
  )
}
