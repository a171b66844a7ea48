import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './message-center.module.css'
import kit from '../ui/kit.module.css'

type Props = { title: string; aside?: ReactNode; children: ReactNode }

export function Section({ title, aside, children }: Props) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className={kit.stackSmall}>
      <div className={`${kit.row} ${styles.sectionHead}`}>
        <Title order={2} id={headingId}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  )
}
