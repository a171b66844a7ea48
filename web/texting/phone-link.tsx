import styles from './message-center.module.css'
import { showPhone } from '../lib/show-phone.ts'

/** The number, to be called; `name` says whose it is to whoever cannot see that. */
export const PhoneLink = ({ phone, name }: { phone: string; name: string | null }) => (
  <a href={`tel:${phone}`} className={styles.phone} aria-label={name ? `Call ${name}, ${showPhone(phone)}` : `Call ${showPhone(phone)}`}>
    {showPhone(phone)}
  </a>
)
