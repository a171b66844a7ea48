import { Stack, Text, Title, Paper } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { familiesApi } from '@tatami/contract/families/families'
import { useSearchParams } from 'react-router'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { roleOf, useCan, useCurrentUser } from '../lib/current-user.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { SkeletonBlock, Skeletons } from '../ui/skeletons.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AnnouncementEntry, AnnouncementList } from './announcement-entry.tsx'
import { CustomAnnouncements } from './announcements.tsx'
import { type Compose, ComposeDialogs, HeaderComposeButton, useCompose } from './compose.tsx'
import styles from './message-center.module.css'
import { OwnSchoolMessages, ownSchoolMessagesQuery } from './own-school-messages.tsx'
import { SentMessages } from './sent-messages.tsx'
import { ServiceStatus } from './service-status.tsx'
import { WriteButton } from './write-button.tsx'
import { UsageMeter } from '../texting/usage-meter.tsx'
import kit from '../ui/kit.module.css'

const SmsSetupTab = lazyComponent(
  () => import('./sms-setup-tab.tsx'),
  'SmsSetupTab',
  <Skeletons label="" />,
)

const AutomaticMessages = lazyComponent(
  () => import('./automatic-messages.tsx'),
  'AutomaticMessages',
  <SkeletonBlock height="38rem" />,
)

const TABS = [
  { value: 'messages', label: 'SMS Messages' },
  { value: 'setup', label: 'SMS Setup' },
] as const

export function MessageCenter() {
  const role = roleOf(useCurrentUser())
  if (role === 'instructor') return <InstructorMessageCenter />
  if (role !== 'guardian') return <AccessDenied />
  return <GuardianMessageCenter />
}

function GuardianMessageCenter() {
  const { data: home } = useQuery(endpointQuery(familiesApi.home, { query: {} }))
  const ownMessages = useRetryingQuery(ownSchoolMessagesQuery)
  const isDesktop = useLayout() === 'desktop'
  const writeButton = home?.reply_phone && <WriteButton replyPhone={home.reply_phone} />
  return (
    <Stack gap="lg">
      <PageHeader title="Message Center">{isDesktop && writeButton}</PageHeader>
      {ownMessages.isUnavailable && (
        <RetryNotice onRetry={ownMessages.retry}>Your messages could not be loaded.</RetryNotice>
      )}
      {ownMessages.isPending ? (
        <Skeletons count={4} height={104} label="Loading the messages..." />
      ) : (
        <>
          {ownMessages.data && (
            <OwnSchoolMessages
              messages={ownMessages.data.messages}
              showsAnswers={ownMessages.data.shows_answers}
            />
          )}
          <MyAnnouncements />
        </>
      )}
      {writeButton && <BottomActions>{writeButton}</BottomActions>}
    </Stack>
  )
}

function InstructorMessageCenter() {
  const [params, setParams] = useSearchParams()
  const hasSetup = useCan()('settings')
  const tab = hasSetup && params.get('tab') === 'setup' ? 'setup' : 'messages'
  const compose = useCompose()
  return (
    <Stack gap="lg">
      <PageHeader title="Message Center">
        <HeaderComposeButton compose={compose} />
      </PageHeader>
      {hasSetup ? (
        <Tabs
          label="Message Center"
          look="switch"
          tabs={TABS}
          value={tab}
          onChange={(selectedTab) => setParams(selectedTab === 'setup' ? { tab: 'setup' } : {})}
        >
          {tab === 'messages' ? <SmsMessages compose={compose} /> : <SmsSetupTab />}
        </Tabs>
      ) : (
        <SmsMessages compose={compose} />
      )}
      <ComposeDialogs compose={compose} />
    </Stack>
  )
}

const DENIED_TITLE = 'Access Denied'
const ONLY_INSTRUCTORS = 'Only instructors can access announcement management.'

const AccessDenied = () =>
  roleOf(useCurrentUser()) === 'student' ? (
    <Stack gap="lg">
      <PageHeader title="Message Center" />
      <MyAnnouncements />
      <div className={`${kit.line} ${kit.note}`}>
        <IconLock size={18} stroke={1.5} aria-hidden />
        <div>
          <h2 className={`${kit.note} ${kit.strong}`}>{DENIED_TITLE}</h2>
          <p>{ONLY_INSTRUCTORS}</p>
        </div>
      </div>
    </Stack>
  ) : (
    <Stack gap="xs" align="center" py="xl" px="md" ta="center">
      <IconLock size={40} stroke={1.5} className={kit.muted} aria-hidden />
      <Title order={1}>{DENIED_TITLE}</Title>
      <Text c="dimmed">{ONLY_INSTRUCTORS}</Text>
    </Stack>
  )

function SmsMessages({ compose }: { compose: Compose }) {
  const canSend = useCan()('texts.send')
  if (!canSend) return <SentMessages />
  return (
    <div className={styles.columns}>
      <Stack gap="lg">
        <Paper className={kit.stack}>
          <ServiceStatus />
          <UsageMeter />
        </Paper>
        <CustomAnnouncements onOpen={compose.open} preload={compose.preload} />
        <SentMessages />
      </Stack>
      <AutomaticMessages />
    </div>
  )
}

const ANNOUNCEMENTS_PER_PAGE = 20

function MyAnnouncements() {
  const announcements = usePagedQuery(announcementsApi.list, { limit: ANNOUNCEMENTS_PER_PAGE })
  const { rows, isError } = announcements
  return (
    <Stack component="section" gap="md" aria-labelledby="my-announcements">
      <Title order={2} id="my-announcements">
        Announcements
      </Title>
      {!rows && !isError && (
        <Skeletons count={3} height={104} label="Loading the announcements..." />
      )}
      {rows?.length === 0 && <EmptyState>No announcements yet. They’ll appear here.</EmptyState>}
      {rows && rows.length > 0 && (
        <AnnouncementList>
          {rows.map((announcement) => (
            <AnnouncementEntry key={announcement.id} announcement={announcement} />
          ))}
        </AnnouncementList>
      )}
      <MoreRows query={announcements} error="The announcements could not be loaded." />
    </Stack>
  )
}
