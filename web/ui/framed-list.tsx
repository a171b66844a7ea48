import type { ComponentProps, ReactNode } from 'react'
import styles from './framed-list.module.css'

/** Rows in one frame, separated by hairlines. */
export const FramedList = (props: Omit<ComponentProps<'ul'>, 'className'>) => (
  <ul {...props} className={styles.list} />
)

type RowProps = { name: string; details: string[]; children?: ReactNode }
/** One thing of a list: its name, a line for each detail, and what can be done with it. */
export const FramedRow = ({ name, details, children }: RowProps) => (
  <li className={styles.row}>
    <div className={styles.what}>
      <div className={styles.name}>{name}</div>
      {details.map((detail) => (
        <div key={detail} className={styles.detail}>
          {detail}
        </div>
      ))}
    </div>
    {children}
  </li>
)
