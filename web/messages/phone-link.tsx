import styles from './message-center.module.css'
import { formatPhone, phoneHref } from '../lib/text.ts'

export const PhoneLink = ({ phone, name }: { phone: string; name: string | null }) => (
  <a
    href={phoneHref(phone)}
    className={styles.phone}
    aria-label={name ? `Call ${name}, ${formatPhone(phone)}` : `Call ${formatPhone(phone)}`}
  >
    {formatPhone(phone)}
  </a>
)
