import { Stack } from '@mantine/core'
import { useLayout } from '../lib/layout-link.tsx'
import { NotificationSettings } from '../notifications/notification-settings.tsx'
import { ChangePassword } from '../profile/change-password.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import styles from './student-settings.module.css'
import { PageHeader } from '../ui/page-header.tsx'

/** What students change about themselves; the rest is their instructor's. */
export const StudentSettings = () => (
  <Stack gap="lg">
    <PageHeader title="Settings" />
    <div className={styles.settings} data-layout={useLayout()}>
      <NotificationSettings accountId={useCurrentUser().id} />
      <ChangePassword />
    </div>
  </Stack>
)
