import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { BELT_TEST_NAMES, beltTestLabels } from '@tatami/contract/dojos/belt-test'

const NAMES = BELT_TEST_NAMES.map((name) => ({
  value: name,
  label: beltTestLabels(name).capitalized,
}))

export const BeltTestSelect = (props: Omit<NativeSelectProps, 'data'>) => (
  <NativeSelect
    label="Your word for a belt test"
    description="Screens, messages and calendars use it"
    {...props}
    data={NAMES}
  />
)
