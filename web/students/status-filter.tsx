import type { StudentFilter } from '@tatami/contract/students'
import { ChoiceBar } from '../ui/choice-bar.tsx'

const CHOICES: { value: StudentFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'trial', label: 'Trial' },
  { value: 'regular', label: 'Regular' },
  { value: 'vacation', label: 'Students on Vacation' },
]

export const StatusFilter = ({ value, onChange }: { value: StudentFilter; onChange: (chosen: StudentFilter) => void }) => (
  <ChoiceBar label="Status" choices={CHOICES} value={value} onChange={onChange} />
)
