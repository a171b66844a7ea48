import { IconMoon } from '@tabler/icons-react'
import styles from './night-notice.module.css'
import { useNightTime } from './quiet-hours.ts'

/** Between 9 pm and 8 am at the dojo (product.md, section 6). */
export function NightNotice() {
  const time = useNightTime()
  return (
    time && (
      <p className={styles.notice}>
        <IconMoon size={20} aria-hidden />
        <span>It is {time} at your dojo. Texts go out at once, at night as well.</span>
      </p>
    )
  )
}
