import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './done.module.css'

/** What was done, at the end of a dialog. */
export const Done = ({ children }: { children: ReactNode }) => (
  <p className={classes.done} role="status">
    <IconCircleCheck size={24} aria-hidden />
    <span>{children}</span>
  </p>
)
