import { IconPlaneDeparture, IconSeedling } from '@tabler/icons-react'
import type { Belt as BeltName, Student } from '@tatami/contract/students'
import type { CSSProperties } from 'react'
import { Belt } from '../ui/belt.tsx'
import { capitalised } from '../lib/capitalised.ts'
import { showPhone } from '../lib/show-phone.ts'
import styles from './student-facts.module.css'

/** The colour of the edge that a card or a row has from the belt. */
export const beltEdge = (belt: BeltName) => ({ '--belt': `var(--belt-${belt})` }) as CSSProperties

export const BeltLevel = ({ belt }: { belt: BeltName }) => (
  <span className={styles.belt}>
    <Belt colour={belt} size={28} decorative />
    {capitalised(belt)} belt
  </span>
)

/** Trial or Regular, On Vacation or Active; what is not the rule stands out. */
export const Status = ({ student: { is_trial, on_vacation } }: { student: Student }) => (
  <span className={styles.status}>
    {is_trial ? (
      <span className={styles.badge}>
        <IconSeedling size={16} aria-hidden />
        Trial
      </span>
    ) : (
      <span>Regular</span>
    )}
    {on_vacation ? (
      <span className={styles.badge}>
        <IconPlaneDeparture size={16} aria-hidden />
        On Vacation
      </span>
    ) : (
      <span>Active</span>
    )}
  </span>
)

/** Somebody who joined by invitation may have no phone number yet. */
export const Contact = ({ student: { email, phone_number } }: { student: Student }) => (
  <span className={styles.contact}>
    <span>{email}</span>
    <span>{phone_number ? showPhone(phone_number) : 'No phone number'}</span>
  </span>
)
