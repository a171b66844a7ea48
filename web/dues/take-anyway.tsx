import { Checkbox, type CheckboxProps } from '@mantine/core'

type Props = { isShown: boolean; input: CheckboxProps }

/** Also shown after the server has refused a payment because the payer is paying online. */
export const TakeAnyway = ({ isShown, input }: Props) =>
  (isShown || input.error) && (
    <Checkbox label="Take it anyway" description="What is paid twice becomes credit." {...input} />
  )
