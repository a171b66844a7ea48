import type { ComponentProps } from 'react'
import { BusyButton } from '../ui/busy-button.tsx'
import { useUsage } from './use-usage.ts'

type Props = Omit<ComponentProps<typeof BusyButton>, 'busyLabel'>

/** What sends texts: disabled once the day's are used up. */
export function SendButton({ disabled, ...rest }: Props) {
  const { limit_reached } = useUsage()
  return <BusyButton {...rest} busyLabel="Sending..." disabled={disabled || limit_reached} />
}
