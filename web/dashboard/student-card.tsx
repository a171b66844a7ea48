import { capitalize } from '../lib/text.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { Belt } from '../ui/belt.tsx'
import styles from './student-card.module.css'

/** Who one is in the dojo: the belt, and on trial or not. */
export function StudentCard() {
  const { name, belt_level, is_trial } = useCurrentUser()
  const belt = belt_level ?? 'white'
  return (
    <section className={styles.card} aria-label="You in the dojo">
      <Belt colour={belt} size={64} decorative />
      <div>
        <p className={styles.name}>{name}</p>
        <p className={styles.rank}>
          {capitalize(belt)} Belt • {is_trial ? 'Trial' : 'Regular'} Student
        </p>
      </div>
    </section>
  )
}
