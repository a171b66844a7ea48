import { Box, Title } from '@mantine/core'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { BackLink, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ConversationList, useConversations } from './conversation-list.tsx'
import styles from './conversation-list.module.css'
import { restoreReplies } from './reply-drafts.ts'
import { SimulatorBanner } from '../texting/simulator-banner.tsx'
import { Thread } from './thread.tsx'
import kit from '../ui/kit.module.css'

const ROWS = 30

/** The URL names the open conversation by `phone` or `student`. */
export function MessagesPage({ act }: { act: ReactNode }) {
  const [search] = useSearchParams()
  useState(restoreReplies)
  const phone = usePhone(search.get('phone'), search.get('student'))
  const isDesktop = useLayout() === 'desktop'
  const isOpen = search.has('phone') || search.has('student')
  const thread = isOpen && <OpenConversation {...phone} />
  if (!isDesktop && isOpen) return thread
  return (
    <div className={kit.stack}>
      <div>
        <BackLink to="/message-center">Back to Message Center</BackLink>
        <PageHeader title="Conversations">{act}</PageHeader>
      </div>
      <SimulatorBanner />
      <div className={isDesktop ? styles.columns : undefined}>
        <Conversations current={phone.phone} />
        {isDesktop &&
          (thread || (
            <Box component="p" c="dimmed" py="md">
              Choose a conversation to read and reply.
            </Box>
          ))}
      </div>
    </div>
  )
}

function Conversations({ current }: { current: string | null }) {
  const conversations = useConversations(ROWS)
  const { rows, isError } = conversations
  return (
    <div className={`${kit.stackSmall} ${styles.all}`}>
      {!rows && !isError && (
        <Skeletons count={6} height={76} label="Loading the conversations..." />
      )}
      {rows?.length === 0 && <EmptyState>No replies yet. They’ll appear here.</EmptyState>}
      {rows && rows.length > 0 && <ConversationList conversations={rows} current={current} />}
      <MoreRows of={conversations} failed="The conversations could not be loaded." />
    </div>
  )
}

type OpenPhone = { phone: string | null; isMissing: boolean; isError: boolean; retry: () => void }

function usePhone(phone: string | null, student: string | null): OpenPhone {
  const phones = useQuery({
    ...endpointQuery(conversationsApi.studentPhones, { params: { id: student ?? '' } }),
    enabled: phone === null && student !== null,
  })
  const [first] = phones.data ?? []
  return {
    phone: phone ?? first?.phone_number ?? null,
    isMissing: phone === null && phones.data !== undefined && !first,
    isError: phone === null && phones.isError,
    retry: () => void phones.refetch(),
  }
}

function OpenConversation({ phone, isMissing, isError, retry }: OpenPhone) {
  const isMobile = useLayout() === 'mobile'
  if (phone) return <Thread key={phone} phone={phone} />
  return (
    <div className={`${kit.stackSmall} ${styles.all}`}>
      {isMobile && (
        <div>
          <BackLink to="/messages" replace>
            All conversations
          </BackLink>
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
