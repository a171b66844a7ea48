import { Box, Button, Title } from '@mantine/core'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { WithRight } from '../ui/with-right.tsx'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { endpointQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons, SkeletonBlock } from '../ui/skeletons.tsx'
import { ComposeDialogs, HeaderComposeButton, useCompose } from './compose.tsx'
import { ConversationList, useConversations } from './conversation-list.tsx'
import styles from './conversation-list.module.css'
import { restoreReplies } from './reply-drafts.ts'
import { SimulatorBanner } from '../texting/simulator-banner.tsx'
import { Thread } from './thread.tsx'
import kit from '../ui/kit.module.css'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { IconArrowLeft, IconMessagePlus } from '@tabler/icons-react'
import { drafts } from '../lib/drafts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Sheet } from '../ui/sheet.tsx'

const StudentPicker = lazyComponent(
  () => import('../ui/student-picker.tsx'),
  'StudentPicker',
  <SkeletonBlock height="4rem" />,
  { showsImmediately: true },
)
const TextPersonDialog = lazyComponent(
  () => import('../texting/text-person-dialog.tsx'),
  'TextPersonDialog',
)

const CONVERSATIONS_PER_PAGE = 30

export function Messages() {
  const [params] = useSearchParams()
  // Runs once, before the reply box reads its draft.
  useState(restoreReplies)
  const openPhone = useOpenPhone(params.get('phone'), params.get('student'))
  const isDesktop = useLayout() === 'desktop'
  const isOpen = params.has('phone') || params.has('student')
  const thread = isOpen ? <OpenConversation {...openPhone} /> : null
  if (!isDesktop && isOpen) return thread
  return <Inbox openPhone={openPhone.phone} thread={thread} />
}

type InboxProps = { openPhone: string | null; thread: ReactNode }

function Inbox({ openPhone, thread }: InboxProps) {
  const compose = useCompose()
  const conversations = useConversations(CONVERSATIONS_PER_PAGE)
  const hasChoice = thread !== null || conversations.rows?.length !== 0
  const isTwoColumns = useLayout() === 'desktop' && hasChoice
  return (
    <div className={kit.stack}>
      <PageHeader title="Inbox">
        <WithRight right="texts.send">
          <TextStudentButton />
        </WithRight>
        <HeaderComposeButton compose={compose} />
      </PageHeader>
      <SimulatorBanner />
      <div className={isTwoColumns ? styles.columns : undefined}>
        <Conversations conversations={conversations} openPhone={openPhone} />
        {isTwoColumns &&
          (thread ?? (
            <div className={`${kit.card} ${styles.noConversation}`}>
              <EmptyState>Choose a conversation to read and reply.</EmptyState>
            </div>
          ))}
      </div>
      <ComposeDialogs compose={compose} />
    </div>
  )
}

type ConversationsProps = {
  conversations: ReturnType<typeof useConversations>
  openPhone: string | null
}

function Conversations({ conversations, openPhone }: ConversationsProps) {
  const { rows, isError } = conversations
  return (
    <div className={`${kit.stackSmall} ${styles.pane}`}>
      {!rows && !isError && (
        <Skeletons count={6} height={76} label="Loading the conversations..." />
      )}
      {rows?.length === 0 && <EmptyState>No replies yet. They’ll appear here.</EmptyState>}
      {rows && rows.length > 0 && <ConversationList conversations={rows} openPhone={openPhone} />}
      <MoreRows query={conversations} error="The conversations could not be loaded." />
    </div>
  )
}

type OpenPhone = { phone: string | null; isMissing: boolean; isError: boolean; retry: () => void }

function useOpenPhone(phone: string | null, studentId: string | null): OpenPhone {
  const phones = useQuery({
    ...endpointQuery(conversationsApi.studentPhones, { params: { id: studentId ?? '' } }),
    enabled: phone === null && studentId !== null,
  })
  const [firstPhone] = phones.data ?? []
  return {
    phone: phone ?? firstPhone?.phone_number ?? null,
    isMissing: phone === null && phones.data !== undefined && !firstPhone,
    isError: phone === null && phones.isError,
    retry: () => void phones.refetch(),
  }
}

function OpenConversation({ phone, isMissing, isError, retry }: OpenPhone) {
  const isMobile = useLayout() === 'mobile'
  if (phone) return <Thread key={phone} phone={phone} />
  return (
    <div className={`${kit.stackSmall} ${styles.pane}`}>
      {isMobile && (
        <div>
          <Button
            component={LayoutLink}
            to={PATHS.conversations}
            replace
            variant="subtle"
            ml="-md"
            leftSection={<IconArrowLeft size={20} aria-hidden />}
          >
            All conversations
          </Button>
        </div>
      )}
      <Title order={isMobile ? 1 : 2} size="h3">
        Conversation
      </Title>
      {isMissing && (
        <Box component="p" c="dimmed" py="md">
          This student has no valid phone number.
        </Box>
      )}
      {isError && <ErrorNotice onRetry={retry}>The conversation could not be loaded.</ErrorNotice>}
      {!isMissing && !isError && (
        <Skeletons count={3} height={76} label="Loading the conversation..." />
      )}
    </div>
  )
}

const DRAFT_KEY = 'text-person'

function TextStudentButton() {
  const [studentId, setStudentId] = useState(() => drafts.subjectOf(DRAFT_KEY) ?? null)
  const { data: students } = useQuery({
    ...endpointQuery(studentsApi.list),
    enabled: studentId !== null,
  })
  const [isPickerOpen, setPickerOpen] = useState(false)
  const student = students?.find(({ id }) => id === studentId)
  const pick = ({ id }: Student) => {
    setPickerOpen(false)
    setStudentId(id)
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMessagePlus size={20} aria-hidden />}
        onClick={() => setPickerOpen(true)}
        {...StudentPicker.preloadOnHover}
      >
        Text a student
      </Button>
      <Sheet opened={isPickerOpen} onClose={() => setPickerOpen(false)} title="Text a student">
        <StudentPicker label="Student" actionLabel="Write" onPick={pick} hasFocus />
      </Sheet>
      {student && (
        <TextPersonDialog
          draftKey={DRAFT_KEY}
          students={[student]}
          onClose={() => setStudentId(null)}
        />
      )}
    </>
  )
}
