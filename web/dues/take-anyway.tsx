import { Checkbox, type CheckboxProps } from '@mantine/core'

type Props = { isShown: boolean; input: CheckboxProps }

/** Also appears when the server refuses a payment because the payer is paying online. */
export const TakeAnywayCheckbox = ({ isShown, input }: Props) =>
  (isShown || input.error) && (
    <Checkbox label="Take it anyway" description="Anything paid twice becomes credit." {...input} />
  )
