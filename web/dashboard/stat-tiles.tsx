import type { DashboardStats } from '@tatami/contract/dashboard'
import { ShellLink, useShell } from '../lib/shell.tsx'
import styles from './stat-tiles.module.css'

const TILES = [
  { label: 'Total Students', filter: 'all', stat: 'total_students' },
  { label: 'Regular Students', filter: 'regular', stat: 'regular_students' },
  { label: 'Trial Students', filter: 'trial', stat: 'trial_students' },
  { label: 'Students on Vacation', filter: 'vacation', stat: 'vacation_students' },
] as const

/** How many of each; a tile leads to the list of them. A dash while the numbers are not known. */
export const StatTiles = ({ stats }: { stats: DashboardStats | undefined }) => (
  <ul className={styles.tiles} data-shell={useShell()} aria-label="Students">
    {TILES.map(({ label, filter, stat }) => (
      <li key={filter}>
        <ShellLink to={`/students?filter=${filter}`} className={styles.tile}>
          <span className={styles.number}>{stats?.[stat] ?? '–'}</span> <span className={styles.label}>{label}</span>
        </ShellLink>
      </li>
    ))}
  </ul>
)
