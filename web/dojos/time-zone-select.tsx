import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useState } from 'react'
import { timeZoneOptions } from './time-zones.ts'

export function TimeZoneSelect({
  current,
  ...props
}: Omit<NativeSelectProps, 'data'> & { current: string }) {
  const [options] = useState(() => timeZoneOptions(current))
  return (
    <NativeSelect
      label="Time zone"
      description="Used for classes, reminders and all dates"
      {...props}
      data={options}
    />
  )
}
