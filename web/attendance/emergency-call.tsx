import { Button, Stack } from '@mantine/core'
import { IconPhoneCall } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students/students'
import { formatPhone, phoneHref } from '../lib/text.ts'
import styles from './emergency-call.module.css'
import { listEmergencyContacts } from './emergency-contacts.ts'
import kit from '../ui/kit.module.css'

export function EmergencyCall({ student }: { student: Student }) {
  const contacts = listEmergencyContacts(student)
  if (contacts.length === 0) return <p className={kit.muted}>No emergency contact on file.</p>
  return (
    <Stack gap="xs">
      {contacts.map(({ name, relation, phone }, index) => (
        <Button
          key={phone}
          component="a"
          href={phoneHref(phone)}
          variant={index === 0 ? 'light' : 'default'}
          color="red"
          fullWidth
          leftSection={<IconPhoneCall size={20} aria-hidden />}
          className={styles.call}
        >
          <span className={styles.text}>
            <span className={styles.label}>
              {contacts.length === 1 ? 'Emergency contact' : `Emergency contact ${index + 1}`}
              {relation && `, ${relation}`}
            </span>
            <span>{name ? `Call ${name}` : 'Call'}</span>
            <span className={styles.number}>{formatPhone(phone)}</span>
          </span>
        </Button>
      ))}
    </Stack>
  )
}
