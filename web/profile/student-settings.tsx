import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { FeedLoading } from '../calendar/feed-loading.tsx'
import { NotificationSettings } from '../notifications/notification-settings.tsx'
import { isAdultSoonOrNow } from '../families/comes-of-age.ts'
import { roleOf, useCurrentUser } from '../lib/current-user.ts'
import styles from './student-settings.module.css'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { StudentDataButton } from '../exports/student-data-button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import kit from '../ui/kit.module.css'

/** Loaded separately, because its form needs the schemas (docs/decisions/0017). */
const ChangePassword = lazyComponent(
  () => import('./change-password.tsx'),
  'ChangePassword',
  <Skeletons label="" />,
)

const WhoSeesMyPage = lazyComponent(
  () => import('../families/who-sees-my-page.tsx'),
  'WhoSeesMyPage',
  <Skeletons label="" />,
)

const CalendarFeed = lazyComponent(
  () => import('../calendar/calendar-feed.tsx'),
  'CalendarFeed',
  <FeedLoading />,
)

export function StudentSettings() {
  const user = useCurrentUser()
  return (
    <Stack gap="lg">
      <PageHeader title="Settings" />
      <div className={`${kit.stack} ${styles.settings}`} data-layout={useLayout()}>
        {roleOf(user) === 'student' && isAdultSoonOrNow(user.date_of_birth) && <WhoSeesMyPage />}
        <NotificationSettings accountId={user.id} />
        <Panel title="Calendar">
          <CalendarFeed userRole={roleOf(user) === 'guardian' ? 'guardian' : 'student'} />
        </Panel>
        <ChangePassword />
        <SignInSettingsLink />
        {roleOf(user) === 'student' && <OwnData id={user.id} />}
      </div>
    </Stack>
  )
}

const OwnData = ({ id }: { id: string }) => (
  <Panel title="Your data">
    <p>What your dojo keeps about you: attendance, belts, payments and texts.</p>
    <div>
      <StudentDataButton id={id} />
    </div>
  </Panel>
)

const SignInSettingsLink = () => (
  <Paper component="section" aria-labelledby="sign-in-settings">
    <Title order={2} id="sign-in-settings" mb="xs">
      Login and devices
    </Title>
    <Text mb="md">Log in without a password, and see where you are logged in.</Text>
    <Button
      component={LayoutLink}
      to="/security"
      variant="default"
      leftSection={<IconShieldCheck size={20} aria-hidden />}
    >
      Passkeys and devices
    </Button>
  </Paper>
)
