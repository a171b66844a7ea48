import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './waiting-block.module.css'

/** Holds the place of what comes, in its size; the words for the wait stand in it. Nothing for the first 100 ms. */
export const WaitingBlock = ({ height, children }: { height: string; children?: ReactNode }) => (
  <div className={classes.block}>
    <Skeleton height={height} radius="md" aria-hidden />
    {children && <span className={classes.words}>{children}</span>}
  </div>
)
