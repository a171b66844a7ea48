import type { StudentPack } from '@tatami/contract/memberships/packs'
import { formatDate, today } from '../lib/dates.ts'
import styles from './memberships.module.css'
import kit from '../ui/kit.module.css'

const isUsable = ({ visits_left, expires_on }: StudentPack): boolean =>
  visits_left > 0 && (expires_on === null || expires_on >= today())

/** The class packs that still have visits. */
export function PackRows({ packs }: { packs: readonly StudentPack[] }) {
  const usablePacks = packs.filter(isUsable)
  if (usablePacks.length === 0) return null
  return (
    <ul aria-label="Class packs" className={kit.stackTight}>
      {usablePacks.map(({ id, plan_name, visits, visits_left, expires_on }) => (
        <li key={id} className={styles.text}>
          <span className={kit.strong}>{plan_name}</span>
          <span>
            {visits_left} of {visits} classes left
            {expires_on !== null && `, until ${formatDate(expires_on)}`}
          </span>
        </li>
      ))}
    </ul>
  )
}
