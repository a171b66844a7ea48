import type { ReactNode } from 'react'
import { useShell } from '../lib/shell.tsx'
import classes from './thumb-bar.module.css'

/** A phone's place for the main act of a screen: full width above the tabs, where a thumb reaches. Comes last in the screen. */
export const ThumbBar = ({ children }: { children: ReactNode }) =>
  useShell() === 'mobile' ? <div className={classes.bar}>{children}</div> : null
