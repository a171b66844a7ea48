import { Button, type ButtonProps } from '@mantine/core'
import {
  type Icon,
  IconCalendarEvent,
  IconCircleCheck,
  IconClockPause,
  IconLogin2,
  IconMail,
  IconMapPin,
  IconMessage2,
  IconPhone,
  IconUsers,
} from '@tabler/icons-react'
import type { Sensei, SenseiSort, SenseiSortKey } from '@tatami/contract/sensei/sensei'
import { memo } from 'react'
import { pluralize, formatPhone } from '../lib/text.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { SortHeader } from '../ui/data-table.tsx'
import { EmailText } from '../ui/email-text.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './sensei-rows.module.css'
import {
  formatCityAndState,
  findSortDirection,
  describeDojo,
  formatLastLogin,
  formatTextCount,
  toggleSort,
} from './sensei-columns.ts'
import kit from '../ui/kit.module.css'

type RowsProps = {
  sensei: Sensei[]
  onChoose: ChooseAction
  sort: SenseiSort
  onSort: (sort: SenseiSort) => void
}

type Column = { sortKey: SenseiSortKey; name: string; icon?: Icon; className?: string | undefined }
const COLUMNS: Column[] = [
  { sortKey: 'name', name: 'Name' },
  { sortKey: 'dojo', name: 'Dojo' },
  { sortKey: 'place', name: 'City and state' },
  { sortKey: 'students', name: 'Students', icon: IconUsers, className: styles.number },
  { sortKey: 'status', name: 'Status' },
  { sortKey: 'created', name: 'Created' },
]

export const SenseiTable = ({ sensei, onChoose, sort, onSort }: RowsProps) => (
  <div className={`${kit.card} ${styles.frame}`}>
    <table className={styles.table} aria-labelledby="sensei-shown">
      <thead>
        <tr>
          {COLUMNS.map(({ sortKey, ...column }) => (
            <SortHeader
              key={sortKey}
              {...column}
              order={findSortDirection(sort, sortKey)}
              onSort={() => onSort(toggleSort(sort, sortKey))}
            />
          ))}
          <th scope="col">Last login</th>
          <th scope="col" className={styles.actionCell}>
            Actions
          </th>
        </tr>
      </thead>
      <tbody>
        {sensei.map((row) => (
          <SenseiRow key={row.sensei_id} sensei={row} onChoose={onChoose} />
        ))}
      </tbody>
    </table>
  </div>
)

const SenseiRow = memo(
  ({ sensei, onChoose }: { sensei: Sensei; onChoose: RowsProps['onChoose'] }) => {
    const dojo = describeDojo(sensei.dojo_name)
    return (
      <tr>
        <th scope="row">
          {sensei.full_name}
          <small className={styles.email}>
            <EmailText address={sensei.email} />
          </small>
        </th>
        <td>
          {dojo.name}
          <small className={styles.noWrap}>{dojo.branding}</small>
        </td>
        <td>
          {formatCityAndState(sensei)}
          <small className={styles.noWrap}>{formatPhone(sensei.contact_number ?? '')}</small>
        </td>
        <td className={styles.number}>{sensei.total_students}</td>
        <td>
          <StatusBadge isActive={sensei.is_active} />
        </td>
        <td className={styles.noWrap}>{formatInstantDate(sensei.created_at)}</td>
        <td>
          {formatLastLogin(sensei.activity)}
          <small className={styles.noWrap}>{formatTextCount(sensei.activity)}</small>
        </td>
        <td className={styles.actionCell}>
          <SenseiActions sensei={sensei} onChoose={onChoose} size="sm" isInTable />
        </td>
      </tr>
    )
  },
)

export const SenseiCards = ({ sensei, onChoose }: RowsProps) => (
  <ul className={styles.cards}>
    {sensei.map((row) => (
      <li key={row.sensei_id} className={`${kit.card} ${kit.stackSmall} ${styles.card}`}>
        <SenseiCard sensei={row} onChoose={onChoose} />
      </li>
    ))}
  </ul>
)

const SenseiCard = memo(
  ({ sensei, onChoose }: { sensei: Sensei; onChoose: RowsProps['onChoose'] }) => {
    const dojo = describeDojo(sensei.dojo_name)
    return (
      <>
        <div className={`${kit.spread} ${styles.head}`}>
          <h3>{sensei.full_name}</h3>
          <StatusBadge isActive={sensei.is_active} />
        </div>
        <p className={styles.dojo}>
          {dojo.name}
          <small>{dojo.branding}</small>
        </p>
        <dl className={styles.facts}>
          <Detail label="Email" icon={IconMail}>
            {sensei.email}
          </Detail>
          <Detail label="Contact number" icon={IconPhone}>
            {formatPhone(sensei.contact_number ?? '')}
          </Detail>
          <Detail label="City and state" icon={IconMapPin}>
            {[sensei.city, sensei.state].filter(Boolean).join(', ')}
          </Detail>
          <Detail label="Total students" icon={IconUsers}>
            {pluralize(sensei.total_students, 'student')}
          </Detail>
          <Detail label="Created" icon={IconCalendarEvent}>
            {formatInstantDate(sensei.created_at)}
          </Detail>
          <Detail label="Last login" icon={IconLogin2}>
            {formatLastLogin(sensei.activity)}
          </Detail>
          <Detail label="Texts" icon={IconMessage2}>
            {formatTextCount(sensei.activity)}
          </Detail>
        </dl>
        <SenseiActions sensei={sensei} onChoose={onChoose} />
      </>
    )
  },
)

type DetailProps = { label: string; icon: Icon; children: string }

const Detail = ({ label, icon: DetailIcon, children }: DetailProps) => (
  <div>
    <dt>
      <DetailIcon size={16} stroke={1.5} aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </dt>
    <dd>{children}</dd>
  </div>
)

export type SenseiAction = 'status' | 'password'
export type ChooseAction = (sensei: Sensei, action: SenseiAction) => void

type ActionsProps = Pick<ButtonProps, 'size'> & {
  sensei: Sensei
  onChoose: ChooseAction
  isInTable?: boolean
}

function SenseiActions({ sensei, onChoose, size, isInTable = false }: ActionsProps) {
  return (
    <div className={styles.actions} data-in-table={isInTable || undefined}>
      <Button
        variant={sensei.is_active ? 'default' : 'light'}
        size={size}
        aria-haspopup="dialog"
        onClick={() => onChoose(sensei, 'status')}
      >
        {sensei.is_active ? 'Deactivate' : 'Activate'}
        <VisuallyHidden> {sensei.full_name}</VisuallyHidden>
      </Button>
      <Button
        variant="subtle"
        size={size}
        aria-haspopup="dialog"
        onClick={() => onChoose(sensei, 'password')}
      >
        Reset password
        <VisuallyHidden> of {sensei.full_name}</VisuallyHidden>
      </Button>
    </div>
  )
}

const StatusBadge = ({ isActive }: { isActive: boolean }) => (
  <Badge tone={isActive ? 'green' : 'orange'}>
    {isActive ? (
      <IconCircleCheck size={16} aria-hidden />
    ) : (
      <IconClockPause size={16} aria-hidden />
    )}
    {isActive ? 'Active' : 'Inactive'}
  </Badge>
)
