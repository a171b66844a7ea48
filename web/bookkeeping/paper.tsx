import type { ReactNode } from 'react'
import { useCurrentUser } from '../lib/current-user.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { SchoolMark } from '../ui/school-mark.tsx'
import styles from './paper.module.css'
import kit from '../ui/kit.module.css'

type Props = { dojoName: string | null; label: string; heading: string; children: ReactNode }

export const Paper = ({ dojoName, label, heading, children }: Props) => (
  <article className={`${kit.card} ${styles.paper}`} data-layout={useLayout()} aria-label={label}>
    <div className={`${kit.wrap} ${styles.top}`}>
      <h2>
        <SchoolMark look={useCurrentUser()} name={dojoName} />
      </h2>
      <p className={styles.number}>{heading}</p>
    </div>
    {children}
  </article>
)

type TotalProps = { label: string; columns: number; amount: string; hasDate?: boolean }

/** `columns` does not count the date column, which phones do not show. */
export const TotalRow = ({ label, columns, amount, hasDate = false }: TotalProps) => (
  <tr>
    {hasDate && <td className={styles.date}>{'\u00a0'}</td>}
    <th scope="row" colSpan={columns}>
      {label}
    </th>
    <td className={styles.money}>{amount}</td>
  </tr>
)
