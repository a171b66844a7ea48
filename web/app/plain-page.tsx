import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './plain-page.module.css'
import { PageFrame } from '../ui/page-frame.tsx'

/** A page with nothing but its words: the way home, and what there is to say. */
export const PlainPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <PageFrame title={title} classes={classes}>
    <Title order={1}>{title}</Title>
    {children}
  </PageFrame>
)
