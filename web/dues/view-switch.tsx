import { ChoiceBar } from '../ui/choice-bar.tsx'

export const PAYMENT_VIEWS = ['list', 'class'] as const
export type PaymentView = (typeof PAYMENT_VIEWS)[number]

const CHOICES = [
  { value: 'list', label: 'List' },
  { value: 'class', label: 'By class' },
] as const

type Props = { view: PaymentView; onChange: (view: PaymentView) => void }

export const PaymentViewSwitch = ({ view, onChange }: Props) => (
  <ChoiceBar label="View" choices={CHOICES} value={view} onChange={onChange} />
)
