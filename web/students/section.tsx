import type { ReactNode } from 'react'
import classes from './section.module.css'

/** Fields that belong together, side by side where there is room. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.section}>
    <legend className={classes.legend}>{title}</legend>
    <div className={classes.fields}>{children}</div>
  </fieldset>
)
