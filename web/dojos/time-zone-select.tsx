import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useState } from 'react'
import { listTimeZoneOptions } from './time-zones.ts'

type Props = Omit<NativeSelectProps, 'data'> & { current: string }

export function TimeZoneSelect({ current, ...props }: Props) {
  const [options] = useState(() => listTimeZoneOptions(current))
  return (
    <NativeSelect
      label="Time zone"
      description="Used for classes, reminders and all dates"
      {...props}
      data={options}
    />
  )
}
