import { Button } from '@mantine/core'
import { badgeText } from '@tatami/contract/notifications/notifications'
import { LayoutLink } from '../lib/layout-link.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ConversationList, useConversations } from './conversation-list.tsx'
import styles from './message-center.module.css'
import { Section } from './section.tsx'
import { useInboxUnread } from './use-inbox-unread.ts'

const CONVERSATION_COUNT = 5

export function Inbox() {
  const { rows, isError, isFetching, refetch } = useConversations(CONVERSATION_COUNT)
  const unreadCount = useInboxUnread()
  return (
    <Section
      title="Inbox"
      aside={
        <span role="status">
          {unreadCount > 0 && (
            <span className={styles.unread}>{badgeText(unreadCount)} unread</span>
          )}
        </span>
      }
    >
      {!rows && !isError && <Skeletons count={3} height={76} label="Loading the inbox..." />}
      {rows?.length === 0 && <EmptyState>No replies yet. They’ll appear here.</EmptyState>}
      {rows && rows.length > 0 && (
        <ConversationList conversations={rows.slice(0, CONVERSATION_COUNT)} />
      )}
      {isError && !isFetching && (
        <ErrorNotice onRetry={() => void refetch()}>The inbox could not be loaded.</ErrorNotice>
      )}
      <Button component={LayoutLink} to="/messages" variant="default">
        All conversations
      </Button>
    </Section>
  )
}
