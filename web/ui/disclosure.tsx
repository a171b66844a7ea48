import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './disclosure.module.css'
import kit from './kit.module.css'

type DisclosureProps = {
  summary: ReactNode
  startsOpen?: boolean
  onToggle?: (isFolded: boolean) => void
  children: ReactNode
}

export const Disclosure = ({
  summary,
  startsOpen = false,
  onToggle,
  children,
}: DisclosureProps) => (
  <details
    open={startsOpen}
    className={styles.details}
    onToggle={({ currentTarget }) => {
      onToggle?.(!currentTarget.open)
      if (!startsOpen && currentTarget.open) currentTarget.scrollIntoView({ block: 'nearest' })
    }}
  >
    <summary className={`${kit.row} ${styles.summary}`}>
      <IconChevronRight size={20} aria-hidden className={styles.chevron} />
      {typeof summary === 'string' ? <span className={styles.link}>{summary}</span> : summary}
    </summary>
    {children}
  </details>
)
