import { IconAlertTriangle } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import styles from './framed-list.module.css'
import kit from './kit.module.css'

export const FramedList = (props: Omit<ComponentProps<'ul'>, 'className'>) => (
  <ul {...props} className={`${kit.card} ${kit.hairlines} ${styles.list}`} />
)

type RowProps = { name: string; details: string[]; warning?: string; children?: ReactNode }
export const FramedRow = ({ name, details, warning, children }: RowProps) => (
  <li className={`${kit.spread} ${styles.row}`}>
    <div className={styles.text}>
      <div className={kit.strong}>{name}</div>
      {details.map((detail) => (
        <div key={detail} className={kit.note}>
          {detail}
        </div>
      ))}
      {warning && (
        <div className={`${kit.note} ${kit.inline} ${kit.red}`}>
          <IconAlertTriangle size={16} aria-hidden />
          {warning}
        </div>
      )}
    </div>
    {children}
  </li>
)
