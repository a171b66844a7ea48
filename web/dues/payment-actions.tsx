import { Button } from '@mantine/core'
import { ANNOUNCEMENT_HEADINGS } from '@tatami/contract/texting/message-types'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { textingApi } from '@tatami/contract/texting/texting'
import { useCan } from '../lib/current-user.ts'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './payment-center.module.css'
import kit from '../ui/kit.module.css'

const DIALOGS = [
  {
    label: ANNOUNCEMENT_HEADINGS.late_fee.title,
    dialog: 'late_fee',
    right: textingApi.upcomingReminder.right,
  },
  { label: 'Monthly Payment Reset', dialog: 'reset', right: paymentsApi.reset.right },
] as const
export type PaymentAction = (typeof DIALOGS)[number]['dialog']

export function PaymentActions({ onOpen }: { onOpen: (dialog: PaymentAction) => void }) {
  const can = useCan()
  const layout = useLayout()
  const dialogs = DIALOGS.filter(({ right }) => can(right))
  const buttonProps = {
    color: 'gray',
    variant: layout === 'desktop' ? 'subtle' : 'default',
  } as const
  if (dialogs.length === 0) return null
  return (
    <div
      role="group"
      aria-label="Payments"
      className={`${kit.wrap} ${styles.actions}`}
      data-layout={layout}
    >
      {dialogs.map(({ label, dialog }) => (
        <Button
          key={dialog}
          {...buttonProps}
          variant={dialog === 'late_fee' ? 'default' : buttonProps.variant}
          onClick={() => onOpen(dialog)}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
