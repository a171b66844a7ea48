import { Checkbox, type CheckboxProps } from '@mantine/core'
import { formatMoney } from '@tatami/contract/lib/money'
import { Warning } from '../ui/notices.tsx'

export const MoneyOnItsWay = ({ amount }: { amount: number }) =>
  amount > 0 && <Warning>{formatMoney(amount)} is on its way from the bank.</Warning>

type Props = { isShown: boolean; input: CheckboxProps }

/** Also shown after the server has refused a payment because the payer is paying online. */
export const TakeAnyway = ({ isShown, input }: Props) =>
  (isShown || input.error) && (
    <Checkbox label="Take it anyway" description="What is paid twice becomes credit." {...input} />
  )
