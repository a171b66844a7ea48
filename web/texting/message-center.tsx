import { Stack, Text, Title } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { MyAnnouncements } from './my-announcements.tsx'
import classes from './message-center.module.css'
import { SmsMessages } from './sms-messages.tsx'
import { roleOf, useUser } from '../students/user.ts'
import { SmsSetupTab } from './sms-setup-tab.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Tabs } from '../ui/tabs.tsx'

const TABS = [
  { value: 'messages', label: 'SMS Messages' },
  { value: 'setup', label: 'SMS Setup' },
] as const

/** What went out, and what may still go? */
export const MessageCenter = () => (useUser().is_instructor ? <Center /> : <AccessDenied />)

/** The tab is in the address, so that "back" leads back. */
function Center() {
  const [asked, ask] = useSearchParams()
  const tab = asked.get('tab') === 'setup' ? 'setup' : 'messages'
  return (
    <Stack gap="lg">
      <PageHeader title="Message Center" />
      <Tabs label="Message Center" tabs={TABS} value={tab} onChange={(chosen) => ask(chosen === 'setup' ? { tab: 'setup' } : {})}>
        {tab === 'messages' ? <SmsMessages /> : <SmsSetupTab />}
      </Tabs>
    </Stack>
  )
}

/** A student comes here for what the dojo wrote to them. */
const AccessDenied = () => (
  <Stack gap="lg">
    <Stack gap="xs" align="center" className={classes.denied}>
      <IconLock size={40} stroke={1.5} aria-hidden />
      <Title order={1}>Access Denied</Title>
      <Text c="dimmed">Only instructors can access announcement management.</Text>
    </Stack>
    {roleOf(useUser()) === 'student' && <MyAnnouncements />}
  </Stack>
)
