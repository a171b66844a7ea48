import styles from './message-center.module.css'
import { showPhone } from '../lib/show-phone.ts'

/** A link that calls the number. `name` says to screen readers whose number it is. */
export const PhoneLink = ({ phone, name }: { phone: string; name: string | null }) => (
  <a href={`tel:${phone}`} className={styles.phone} aria-label={name ? `Call ${name}, ${showPhone(phone)}` : `Call ${showPhone(phone)}`}>
    {showPhone(phone)}
  </a>
)
