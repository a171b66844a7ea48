import { ageInYear, type Birthday } from '@tatami/contract/dashboard'
import styles from './celebrant.module.css'

/** "Ken Adams turns 11" */
export function Celebrant({ birthday, year }: { birthday: Birthday; year: number }) {
  const age = ageInYear(year, birthday)
  return (
    <span>
      <span className={styles.name}>{birthday.student_name}</span>
      {age > 0 && <span className={styles.age}> turns {age}</span>}
    </span>
  )
}
