import { IconCircleCheck, IconClockPause } from '@tabler/icons-react'
import classes from './status-badge.module.css'

export const StatusBadge = ({ isActive }: { isActive: boolean }) => (
  <span className={classes.badge} data-active={isActive}>
    {isActive ? <IconCircleCheck size={16} aria-hidden /> : <IconClockPause size={16} aria-hidden />}
    {isActive ? 'Active' : 'Inactive'}
  </span>
)
