import { Skeleton } from '@mantine/core'
import { IconDatabase, IconDatabaseOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { backupsApi, type BackupStatus as Status } from '@tatami/contract/backups/backups'
import { formatDateTime } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import styles from './backup-status.module.css'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** "12 MB", "1.4 GB" */
function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** step
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: UNITS[step]!,
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value)
}

function headingOf({ is_on, is_late, last, failure }: Status): string {
  if (is_late)
    return last ? `No backup since ${formatDateTime(last.made_at)}` : 'No backup has been made yet'
  if (last) return `Last backup ${formatDateTime(last.made_at)}`
  if (!is_on) return 'Nightly backups are off'
  return failure ? 'No backup has been made yet' : 'The first backup runs tonight'
}

export function BackupStatus() {
  const { data, isError } = useQuery(endpointQuery(backupsApi.status))
  if (isError) return null
  if (!data) return <Skeleton height="3.75rem" mt="0.5rem" />
  const { is_late, last, failure } = data
  const isMissing = is_late || failure !== null
  const Icon = isMissing ? IconDatabaseOff : IconDatabase
  return (
    <div className={styles.status} data-kind={isMissing ? 'late' : last ? 'made' : 'none'}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <div className={styles.words}>
        <h3>{headingOf(data)}</h3>
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
