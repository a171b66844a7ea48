import { conversationsApi, type Conversation } from '@tatami/contract/texting/conversations'
import { badgeText, POLL_MS } from '@tatami/contract/notifications/notifications'
import { formatDateTime, formatTimeOrDate } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { phoneConversationPath } from '../lib/paths.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { Badge } from '../ui/badge.tsx'
import { FramedList } from '../ui/framed-list.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './conversation-list.module.css'
import { labelPhone } from './people.ts'
import kit from '../ui/kit.module.css'

export const useConversations = (limit: number) =>
  usePagedQuery(conversationsApi.conversations, { limit, pollMs: POLL_MS })

type Props = { conversations: readonly Conversation[]; openPhone?: string | null }

export const ConversationList = ({ conversations, openPhone }: Props) => (
  <FramedList aria-label="Conversations">
    {conversations.map((conversation) => (
      <li key={conversation.id}>
        <ConversationRow
          conversation={conversation}
          isOpen={conversation.phone_number === openPhone}
        />
      </li>
    ))}
  </FramedList>
)

type ConversationRowProps = { conversation: Conversation; isOpen: boolean }

const ConversationRow = ({ conversation, isOpen }: ConversationRowProps) => {
  const { phone_number, unread_count, stop_asked_at, last } = conversation
  return (
    <LayoutLink
      to={phoneConversationPath(phone_number)}
      state={{ fromList: true }}
      className={styles.row}
      data-unread={unread_count > 0}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className={styles.line}>
        <span className={`${kit.name} ${styles.label}`}>{labelPhone(conversation)}</span>
        {last && (
          <time
            dateTime={last.at}
            title={formatDateTime(last.at)}
            className={`${kit.note} ${styles.time}`}
          >
            {formatTimeOrDate(last.at)}
          </time>
        )}
      </span>
      <span className={styles.line}>
        <span className={styles.lastText}>
          {last?.direction === 'out' && <span className={kit.muted}>Sent: </span>}
          {last?.text}
        </span>
        {unread_count > 0 && (
          <span className={styles.count}>
            {badgeText(unread_count)}
            <VisuallyHidden> unread</VisuallyHidden>
          </span>
        )}
      </span>
      {stop_asked_at && (
        <span>
          <Badge tone="orange">Wants texts to stop?</Badge>
        </span>
      )}
    </LayoutLink>
  )
}
