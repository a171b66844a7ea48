import { SegmentedControl } from '@mantine/core'
import type { StudentFilter } from '@tatami/contract/students'
import styles from './status-filter.module.css'

const CHOICES: { value: StudentFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'trial', label: 'Trial' },
  { value: 'regular', label: 'Regular' },
  { value: 'vacation', label: 'Students on Vacation' },
]

export const StatusFilter = ({ value, onChange }: { value: StudentFilter; onChange: (chosen: StudentFilter) => void }) => (
  <SegmentedControl aria-label="Status" data={CHOICES} value={value} onChange={onChange} transitionDuration={120}
    classNames={{ control: styles.control, label: styles.label, root: styles.root }} />
)
