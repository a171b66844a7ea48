import type { ReactNode } from 'react'
import { ErrorNotice } from './notices.tsx'
import styles from './action-rows.module.css'
import kit from './kit.module.css'

export const ActionRows = ({ children }: { children: ReactNode }) => <ul>{children}</ul>

type Props = {
  name: ReactNode
  details: ReactNode[]
  actions: ReactNode
  error: ReactNode
  /** Shows the actions next to the details on a phone, too. */
  isCompact?: boolean
}

export const ActionRow = ({ name, details, actions, error, isCompact = false }: Props) => (
  <li className={`${kit.spread} ${styles.row}`} data-compact={isCompact}>
    <div className={styles.text}>
      <span className={kit.strong}>{name}</span>
      {details.map((line, index) => (
        <span key={index} className={kit.note}>
          {line}
        </span>
      ))}
    </div>
    <div className={`${kit.wrap} ${styles.actions}`}>{actions}</div>
    <ErrorNotice>{error}</ErrorNotice>
  </li>
)
