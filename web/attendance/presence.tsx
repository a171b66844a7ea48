import { IconCheck, IconX } from '@tabler/icons-react'
import styles from './presence.module.css'

/** A record's status, in words as well as in colour. */
export const Presence = ({ present }: { present: boolean }) => (
  <span className={styles.presence} data-present={present}>
    {present ? <IconCheck size={16} stroke={2.5} aria-hidden /> : <IconX size={16} stroke={2.5} aria-hidden />}
    {present ? 'Present' : 'Absent'}
  </span>
)
