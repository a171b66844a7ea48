import { IconPlaneDeparture, IconSeedling } from '@tabler/icons-react'
import type { Belt as BeltName, Student } from '@tatami/contract/students'
import type { CSSProperties } from 'react'
import { Belt } from '../ui/belt.tsx'
import { capitalised } from './capitalised.ts'
import styles from './student-facts.module.css'

/** The colour of the edge that a card or a row has from the belt. */
export const beltEdge = (belt: BeltName) => ({ '--belt': `var(--belt-${belt})` }) as CSSProperties

export const BeltLevel = ({ belt }: { belt: BeltName }) => <span className={styles.belt}><Belt colour={belt} size={28} decorative />{capitalised(belt)} belt</span>

/** Trial or Regular, On Vacation or Active; what is not the rule stands out. */
export const Status = ({ student: { is_trial, on_vacation } }: { student: Student }) => (
  <span className={styles.status}>
    <span className={styles.badge} data-special={is_trial}>{is_trial && <IconSeedling size={16} aria-hidden />}{is_trial ? 'Trial' : 'Regular'}</span>
    <span className={styles.badge} data-special={on_vacation}>{on_vacation && <IconPlaneDeparture size={16} aria-hidden />}{on_vacation ? 'On Vacation' : 'Active'}</span>
  </span>
)

/** Somebody who joined by invitation may have no phone number yet. */
export const Contact = ({ student: { email, phone_number } }: { student: Student }) => (
  <span className={styles.contact}>
    <span>{email}</span>
    <span>{phone_number ?? 'No phone number'}</span>
  </span>
)
