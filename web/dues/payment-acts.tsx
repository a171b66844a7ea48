import { Button } from '@mantine/core'
import { ANNOUNCEMENT_HEADINGS } from '@tatami/contract/texting/message-types'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import styles from './payment-overview.module.css'
import kit from '../ui/kit.module.css'

const SCREENS = [
  { label: 'Owing', to: '/owing' },
  { label: 'Cash Count', to: '/cash-count' },
  { label: 'Receipts', to: '/receipts' },
  { label: 'Figures', to: '/payment-figures' },
] as const

type Props = { onLateFee: () => void; onReset: () => void; onPrices: () => void }

/** What is done for a whole month, and the screens beside this one. On a phone in one row. */
export function PaymentActs({ onLateFee, onReset, onPrices }: Props) {
  const isDesktop = useLayout() === 'desktop'
  const look = {
    size: isDesktop ? 'md' : 'sm',
    color: 'gray',
    variant: isDesktop ? 'subtle' : 'default',
  } as const
  return (
    <div
      role="group"
      aria-label="Payments"
      className={`${kit.wrap} ${styles.acts}`}
      data-layout={isDesktop ? 'desktop' : 'mobile'}
    >
      {SCREENS.map(({ label, to }) => (
        <Button key={to} component={LayoutLink} to={to} {...look}>
          {label}
        </Button>
      ))}
      <Button {...look} variant="default" onClick={onLateFee}>
        {ANNOUNCEMENT_HEADINGS.late_fee.title}
      </Button>
      <Button {...look} onClick={onReset}>
        Monthly Payment Reset
      </Button>
      <Button {...look} onClick={onPrices}>
        Sibling Prices
      </Button>
    </div>
  )
}
