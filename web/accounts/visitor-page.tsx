import { Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageFrame } from '../ui/page-frame.tsx'
import styles from './visitor-page.module.css'

export const VisitorPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <PageFrame title={title} classNames={styles}>
    <Paper className={styles.card}>
      <Title order={1} mb="md">
        {title}
      </Title>
      {children}
    </Paper>
  </PageFrame>
)
