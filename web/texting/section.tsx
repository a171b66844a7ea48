import { Title } from '@mantine/core'
import { useId, type ReactNode, type Ref } from 'react'
import classes from './section.module.css'

/** A part of the Message Center under its heading; `aside` stands beside that. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <div className={classes.head}>
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
  <ul ref={list} className={classes.rows}>
    {children}
  </ul>
)
