import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { US_STATES } from '@tatami/contract/dojos/dojos'

const STATES = [{ value: '', label: 'Select a state' }, ...US_STATES]

export const StateSelect = (props: Omit<NativeSelectProps, 'data'>) => (
  <NativeSelect label="State" autoComplete="address-level1" {...props} data={STATES} />
)
