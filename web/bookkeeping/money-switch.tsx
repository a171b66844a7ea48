import { PATHS } from '../lib/paths.ts'
import { LinkSwitch } from '../ui/link-switch.tsx'

/** Switches between the screens of the tab "Money". */
export const MoneySwitch = () => (
  <LinkSwitch
    label="Money"
    links={[
      { label: 'Reports', to: PATHS.paymentFigures },
      { label: 'Cash Count', to: PATHS.cashCount },
      { label: 'Receipts', to: PATHS.receipts },
    ]}
  />
)
