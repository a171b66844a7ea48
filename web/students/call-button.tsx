import { ActionIcon } from '@mantine/core'
import { IconPhoneCall } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students'
import styles from './call-button.module.css'

/** Calls from the card; nothing while there is no number. */
export const CallButton = ({ student: { name, phone_number } }: { student: Student }) =>
  phone_number && (
    <ActionIcon
      component="a"
      href={`tel:${phone_number.replace(/[^\d+]/g, '')}`}
      aria-label={`Call ${name}`}
      variant="subtle"
      color="gray"
      size="lg"
      className={styles.call}
    >
      <IconPhoneCall size={20} aria-hidden />
    </ActionIcon>
  )
