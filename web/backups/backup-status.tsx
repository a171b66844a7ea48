import { Skeleton } from '@mantine/core'
import { IconDatabase, IconDatabaseOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { backupsApi, type BackupStatus as BackupDetails } from '@tatami/contract/backups/backups'
import { formatDateTime } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import styles from './backup-status.module.css'

const UNITS = [
  { unit: 'gigabyte', bytes: 1e9 },
  { unit: 'megabyte', bytes: 1e6 },
  { unit: 'kilobyte', bytes: 1e3 },
]
const BYTE = { unit: 'byte', bytes: 1 }

function formatBytes(bytes: number): string {
  const largestUnit = UNITS.find((unit) => bytes >= unit.bytes) ?? BYTE
  const value = bytes / largestUnit.bytes
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: largestUnit.unit,
    maximumFractionDigits: value < 10 && largestUnit !== BYTE ? 1 : 0,
  }).format(value)
}

function describeBackup({ is_on, is_late, last, failure }: BackupDetails): string {
  if (is_late)
    return last ? `No backup since ${formatDateTime(last.made_at)}` : 'No backup has been made yet'
  if (last) return `Last backup ${formatDateTime(last.made_at)}`
  if (!is_on) return 'Nightly backups are off'
  return failure ? 'No backup has been made yet' : 'The first backup runs tonight'
}

function findStatus({ is_late, last, failure }: BackupDetails) {
  if (is_late || failure) return 'late'
  return last ? 'made' : 'none'
}

export function BackupStatus() {
  const { data, isError } = useQuery(endpointQuery(backupsApi.status))
  if (isError) return null
  if (!data) return <Skeleton height="3.75rem" mt="0.5rem" />
  const { last, failure } = data
  const status = findStatus(data)
  const Icon = status === 'late' ? IconDatabaseOff : IconDatabase
  return (
    <div className={styles.status} data-state={status}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <div className={styles.text}>
        <h3>{describeBackup(data)}</h3>
        {failure && (
          <p role="alert">
            {formatDateTime(failure.at)}: {failure.reason}
          </p>
        )}
        {last && (
          <p className={styles.facts}>
            {formatBytes(last.bytes)}, {last.file}
          </p>
        )}
      </div>
    </div>
  )
}
