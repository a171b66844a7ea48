import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './panel.module.css'
import kit from './kit.module.css'

type Props = { title: string; aside?: ReactNode; children: ReactNode }

export function Panel({ title, aside, children }: Props) {
  const headingId = useId()
  return (
    <section
      className={`${kit.card} ${styles.panel}`}
      data-layout={useLayout()}
      aria-labelledby={headingId}
    >
      <div className={`${kit.spread} ${styles.head}`}>
        <Title order={2} id={headingId}>
          {title}
        </Title>
        {aside && <div className={`${kit.muted} ${styles.aside}`}>{aside}</div>}
      </div>
      {children}
    </section>
  )
}

export const PanelColumns = ({ children }: { children: ReactNode }) => (
  <div className={`${kit.stack} ${styles.columns}`} data-layout={useLayout()}>
    {children}
  </div>
)
