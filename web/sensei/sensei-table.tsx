import { IconUsers, type Icon } from '@tabler/icons-react'
import type { Sensei } from '@tatami/contract/sensei'
import { Fragment, memo, useMemo, useState } from 'react'
import { showMomentsDay } from '../lib/dates.ts'
import { showPhone } from '../lib/show-phone.ts'
import { SortHeader } from '../ui/sort-header.tsx'
import { type Choose, SenseiActs } from './sensei-acts.tsx'
import { NEWEST_FIRST, placeOf, type SortKey, sortingAfterPress, sortSensei } from './sensei-sorting.ts'
import { dojoShown } from './shown.ts'
import styles from './sensei-table.module.css'
import { StatusBadge } from './status-badge.tsx'

type Props = { sensei: Sensei[]; onChoose: Choose }

const COLUMNS: { by: SortKey; name: string; icon?: Icon; className?: string | undefined }[] = [
  { by: 'name', name: 'Name' },
  { by: 'dojo', name: 'Dojo' },
  { by: 'place', name: 'City and state' },
  { by: 'students', name: 'Students', icon: IconUsers, className: styles.number },
  { by: 'status', name: 'Status' },
  { by: 'created', name: 'Created' },
]

export function SenseiTable({ sensei, onChoose }: Props) {
  const [sorting, setSorting] = useState(NEWEST_FIRST)
  const sorted = useMemo(() => sortSensei(sensei, sorting), [sensei, sorting])
  const direction = sorting.isAscending ? 'ascending' : 'descending'
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-labelledby="sensei-shown">
        <thead>
          <tr>
            {COLUMNS.map(({ by, ...column }) => (
              <SortHeader
                key={by}
                {...column}
                sorted={sorting.by === by ? direction : undefined}
                onSort={() => setSorting((now) => sortingAfterPress(now, by))}
              />
            ))}
            <th scope="col" className={styles.act}>
              Actions
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((one) => (
            <Row key={one.sensei_id} sensei={one} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A long address goes on in the next line before its @, or after a dot ahead of it, and nowhere else. */
const Email = ({ address }: { address: string }) =>
  address.split(/(?=@)|(?<=\.)(?=.*@)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))

const Row = memo(({ sensei, onChoose }: { sensei: Sensei; onChoose: Props['onChoose'] }) => {
  const dojo = dojoShown(sensei.dojo_name)
  return (
    <tr>
      <th scope="row">
        {sensei.full_name}
        <small>
          <Email address={sensei.email} />
        </small>
      </th>
      <td>
        {dojo.name}
        <small className={styles.whole}>{dojo.branding}</small>
      </td>
      <td>
        {placeOf(sensei)}
        <small className={styles.whole}>{showPhone(sensei.contact_number ?? '')}</small>
      </td>
      <td className={styles.number}>{sensei.total_students}</td>
      <td className={styles.status} title={sensei.is_active ? 'Active' : 'Inactive'}>
        <StatusBadge isActive={sensei.is_active} />
      </td>
      <td className={styles.date}>{showMomentsDay(sensei.created_at)}</td>
      <td className={styles.act}>
        <SenseiActs sensei={sensei} onChoose={onChoose} size="sm" isInTable />
      </td>
    </tr>
  )
})
