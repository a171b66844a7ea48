import { IconCheck, IconX } from '@tabler/icons-react'
import styles from './presence.module.css'

/** A record's status; the word says what the colour says. */
export const Presence = ({ present }: { present: boolean }) => (
  <span className={styles.presence} data-present={present}>
    {present ? <IconCheck size={16} stroke={2.5} aria-hidden /> : <IconX size={16} stroke={2.5} aria-hidden />}
    {present ? 'Present' : 'Absent'}
  </span>
)
