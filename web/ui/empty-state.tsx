import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

/** A corner of an empty mat: a small line drawing, the sentence, and the next step as a button. */
export const EmptyState = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className={classes.empty}>
    <svg width="120" height="72" viewBox="0 0 120 72" aria-hidden className={classes.drawing}>
      <path d="M60 6 112 34 60 62 8 34z" />
      <path d="M34 20 86 48M60 34 34 48M86 20 60 34" />
      <path className={classes.light} d="M40 17 92 45M28 23 80 51M47 41 21 41M73 27 99 27" />
      <path d="M8 34v4l52 28 52-28v-4M60 62v4" />
    </svg>
    <p className={classes.words}>{children}</p>
    {action}
  </div>
)
