import { Title } from '@mantine/core'
import { useId, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './message-center.module.css'
import kit from '../ui/kit.module.css'

type Props = { title: string; aside?: ReactNode; children: ReactNode }

export function Section({ title, aside, children }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={kit.stackSmall}>
      <div className={`${kit.row} ${styles.sectionHead}`}>
        <Title order={2} id={heading}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  )
}

const COLLAPSED_ROWS = { mobile: 3, desktop: 5 }

/** Shows the newest rows first. After "Show all", the focus moves to the first new row. */
export function useCollapsedList<T>(rows: readonly T[] | undefined) {
  const collapsedCount = COLLAPSED_ROWS[useLayout()]
  const list = useRef<HTMLUListElement>(null)
  const [isExpanded, setExpanded] = useState(false)
  useEffect(() => {
    if (isExpanded)
      list.current?.children[collapsedCount]?.querySelector<HTMLElement>('button, a')?.focus()
  }, [isExpanded, collapsedCount])
  const isCollapsed = !isExpanded && rows !== undefined && rows.length > collapsedCount
  return {
    list,
    shown: isCollapsed ? rows.slice(0, collapsedCount) : rows,
    isCollapsed,
    showAll: () => setExpanded(true),
  }
}
