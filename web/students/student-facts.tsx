import { IconMail, IconPhone, IconPlaneDeparture, IconSeedling } from '@tabler/icons-react'
import type { Belt as BeltName, Student } from '@tatami/contract/students'
import type { CSSProperties } from 'react'
import { Belt } from '../ui/belt.tsx'
import styles from './student-facts.module.css'

/** The colour of the edge that a card or a row has from the belt. */
export const beltEdge = (belt: BeltName) => ({ '--belt': `var(--belt-${belt})` }) as CSSProperties

export const BeltLevel = ({ belt }: { belt: BeltName }) => <span className={styles.belt}><Belt colour={belt} size={28} decorative />{belt} belt</span>

/** Trial or Regular, On Vacation or Active; what is not the rule stands out. */
export const Status = ({ student: { is_trial, on_vacation } }: { student: Student }) => (
  <span className={styles.status}>
    <span className={styles.badge} data-special={is_trial}>{is_trial && <IconSeedling size={16} aria-hidden />}{is_trial ? 'Trial' : 'Regular'}</span>
    <span className={styles.badge} data-special={on_vacation}>{on_vacation && <IconPlaneDeparture size={16} aria-hidden />}{on_vacation ? 'On Vacation' : 'Active'}</span>
  </span>
)

/** To write or to call; somebody who joined by invitation may have no phone number yet. */
export const Contact = ({ student: { email, phone_number } }: { student: Student }) => (
  <span className={styles.contact}>
    <a href={`mailto:${email}`} className={styles.link}><IconMail size={16} aria-hidden />{email}</a>
    {phone_number
      ? <a href={`tel:${phone_number.replace(/[^\d+]/g, '')}`} className={styles.link}><IconPhone size={16} aria-hidden />{phone_number}</a>
      : <span className={styles.link}><IconPhone size={16} aria-hidden />No phone number</span>}
  </span>
)
