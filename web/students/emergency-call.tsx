import { Button } from '@mantine/core'
import { IconPhoneCall } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students'
import { formatPhone, phoneHref } from '../lib/text.ts'
import styles from './emergency-call.module.css'

/** Calls the emergency contact at one tap. */
export const EmergencyCall = ({ student: { emergency_contact_name: name, emergency_contact_phone: phone } }: { student: Student }) =>
  phone ? (
    <Button
      component="a"
      href={phoneHref(phone)}
      variant="light"
      color="red"
      fullWidth
      leftSection={<IconPhoneCall size={20} aria-hidden />}
      className={styles.call}
    >
      <span className={styles.words}>
        <span className={styles.what}>Emergency contact</span>
        <span>{name ? `Call ${name}` : 'Call'}</span>
        <span className={styles.number}>{formatPhone(phone)}</span>
      </span>
    </Button>
  ) : (
    <p className={styles.none}>No emergency contact is known.</p>
  )
