import type { ComponentProps } from 'react'
import { LayoutLink } from '../lib/layout-link.tsx'
import styles from './student-link.module.css'

type Props = Omit<ComponentProps<typeof LayoutLink>, 'to'> & { id: string }

/** A student's name, which leads to their page: `<StudentLink id={id}>{name}</StudentLink>`. */
export const StudentLink = ({ id, className = '', ...rest }: Props) => (
  <LayoutLink {...rest} to={`/students/${id}`} className={`${styles.link} ${className}`} />
)
