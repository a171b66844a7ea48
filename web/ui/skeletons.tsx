import { Skeleton } from '@mantine/core'
import classes from './skeletons.module.css'

/** Rows or cards of the size of what comes, with the words the specification has for the wait. Nothing for the first 100 ms. */
export const Skeletons = ({ count = 4, height = 72, label }: { count?: number; height?: number; label: string }) => (
  <div role="status" className={classes.wait}>
    <span className={classes.label}>{label}</span>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} height={height} radius="md" aria-hidden />
    ))}
  </div>
)
