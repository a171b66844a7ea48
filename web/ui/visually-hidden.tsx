import type { ComponentProps } from 'react'
import styles from './visually-hidden.module.css'

/**
 * For screen readers only. Mantine's version reads sixty style props, half of the time it takes to
 * draw a list of students.
 */
export const VisuallyHidden = (props: Omit<ComponentProps<'span'>, 'className'>) => (
  <span className={styles.hidden} {...props} />
)
