import { type Icon, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { LayoutLink } from '../lib/layout-link.tsx'
import type { LinkPath } from '../lib/paths.ts'
import styles from './today.module.css'
import kit from '../ui/kit.module.css'

type Props = { to: LinkPath; RowIcon: Icon; children: ReactNode }

/** A row of the panel “Today” that opens another screen. */
export const IconLink = ({ to, RowIcon, children }: Props) => (
  <LayoutLink to={to} className={`${kit.line} ${kit.plainLink} ${styles.link}`}>
    <RowIcon size={20} stroke={1.5} aria-hidden />
    <span>{children}</span>
    <IconChevronRight size={20} stroke={1.5} aria-hidden />
  </LayoutLink>
)
