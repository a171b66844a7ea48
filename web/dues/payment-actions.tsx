import { Button } from '@mantine/core'
import { ANNOUNCEMENT_HEADINGS } from '@tatami/contract/texting/message-types'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './payment-center.module.css'
import kit from '../ui/kit.module.css'

const DIALOGS = [
  { label: ANNOUNCEMENT_HEADINGS.late_fee.title, dialog: 'late_fee' },
  { label: 'Monthly Payment Reset', dialog: 'reset' },
] as const
export type PaymentAction = (typeof DIALOGS)[number]['dialog']

export function PaymentActions({ onOpen }: { onOpen: (dialog: PaymentAction) => void }) {
  const layout = useLayout()
  const buttonProps = {
    color: 'gray',
    variant: layout === 'desktop' ? 'subtle' : 'default',
  } as const
  return (
    <div
      role="group"
      aria-label="Payments"
      className={`${kit.wrap} ${styles.actions}`}
      data-layout={layout}
    >
      {DIALOGS.map(({ label, dialog }) => (
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
