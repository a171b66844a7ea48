import { Title } from '@mantine/core'
import { useId, type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { useShell } from '../lib/shell.tsx'
import styles from './message-center.module.css'

/** A part of the Message Center under its heading; `aside` stands beside that. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={styles.section}>
      <div className={styles.sectionHead}>
        <Title order={2} id={heading}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Rows in one frame, parted by hairlines. */
export const Rows = ({ list, children }: { list?: Ref<HTMLUListElement>; children: ReactNode }) => (
  <ul ref={list} className={styles.rows}>
    {children}
  </ul>
)

const NEWEST = { mobile: 3, desktop: 5 }

/** A list among others shows its newest, until all are asked for; then the focus goes on to the first one more. */
export function useCompact<T>(rows: readonly T[] | undefined) {
  const newest = NEWEST[useShell()]
  const list = useRef<HTMLUListElement>(null)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    if (isWhole) list.current?.children[newest]?.querySelector<HTMLElement>('button, a')?.focus()
  }, [isWhole, newest])
  const isCut = !isWhole && rows !== undefined && rows.length > newest
  return { list, shown: isCut ? rows.slice(0, newest) : rows, isCut, showAll: () => setWhole(true) }
}
