import { useLocation } from 'react-router'
import { pathWithoutLayout } from '../lib/layout.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import type { LinkPath } from '../lib/paths.ts'
import styles from './link-switch.module.css'

type Props = { label: string; links: readonly { label: string; to: LinkPath }[] }

/** Switches between the few screens that share a tab of the navigation. */
export function LinkSwitch({ label, links }: Props) {
  const currentPath = pathWithoutLayout(useLocation().pathname)
  return (
    <nav aria-label={label} className={styles.switch}>
      {links.map((link) => (
        <LayoutLink
          key={link.to}
          to={link.to}
          className={styles.link}
          aria-current={link.to === currentPath ? 'page' : undefined}
        >
          {link.label}
        </LayoutLink>
      ))}
    </nav>
  )
}
