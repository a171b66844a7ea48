import { Skeleton } from '@mantine/core'
import styles from './class-management.module.css'
import loading from './classes-loading.module.css'

/** Cards of the size of what comes; nothing for the first 100 ms. */
export const ClassesLoading = () => (
  <div role="status" className={loading.wait}>
    <span className={loading.words}>Loading classes...</span>
    <div className={styles.grid} aria-hidden>
      {Array.from({ length: 3 }, (_, index) => <Skeleton key={index} height="13rem" radius="md" />)}
    </div>
  </div>
)
