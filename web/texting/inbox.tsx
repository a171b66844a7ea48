import { Button, VisuallyHidden } from '@mantine/core'
import { textingApi } from '@tatami/contract/texting'
import { badge, POLL_MS } from '@tatami/contract/notifications'
import { SKIP_REASON_LABELS } from '@tatami/contract/message-types'
import type { IncomingText, Keyword } from '@tatami/contract/text-history'
import { useRef } from 'react'
import { errorMessage } from '../lib/api.ts'
import { formatDateTime } from '../lib/dates.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { formatPhone } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import unreadDot from '../ui/row-marks.module.css'
import styles from './message-center.module.css'
import { PhoneLink } from './phone-link.tsx'
import { Rows, Section, useCollapsedList } from './section.tsx'
import { useInboxUnread } from './use-inbox-unread.ts'

const ROWS = 10

/** The replies of students, each with a button that marks it read. */
export function Inbox() {
  const inbox = usePagedQuery(textingApi.inbox, { limit: ROWS, pollMs: POLL_MS }),
    unread = useInboxUnread()
  const texts = inbox.rows
  const { list, shown, isCollapsed, showAll } = useCollapsedList(texts)
  return (
    <Section title="Inbox" aside={<span role="status">{unread > 0 && <span className={styles.unread}>{badge(unread)} unread</span>}</span>}>
      {!texts && !inbox.isError && <Skeletons count={3} height={104} label="Loading the inbox..." />}
      {texts?.length === 0 && <EmptyState>Nobody has written back yet. Replies to your texts appear here.</EmptyState>}
      {shown && shown.length > 0 && (
        <Rows list={list}>
          {shown.map((text) => (
            <li key={text.id}>
              <InboxRow incoming={text} />
            </li>
          ))}
        </Rows>
      )}
      <MoreRows of={inbox} failed="The inbox could not be loaded.">
        {isCollapsed && (
          <Button variant="default" onClick={showAll}>
            Show the whole inbox
          </Button>
        )}
      </MoreRows>
    </Section>
  )
}

const KEYWORD_LABELS: Record<Keyword, string> = {
  stop: SKIP_REASON_LABELS.opted_out,
  start: 'Gets texts again',
  help: 'Was told how to stop',
}

/** One reply. It stays unread until "Mark read" is pressed, because having been on the screen does not mean that somebody read it. */
function InboxRow({ incoming: { id, student_id, name, phone_number, text, wish, received_at, read_at } }: { incoming: IncomingText }) {
  const row = useRef<HTMLElement>(null)
  const read = useEndpointMutation(textingApi.readInbox, {
    refreshes: [textingApi.inbox, textingApi.inboxUnread],
    // The focused button disappears, so the focus moves to the row.
    onSuccess: () => row.current?.focus(),
  })
  const isUnread = read_at === null && !read.isSuccess
  const phone = <PhoneLink phone={phone_number} name={name} />
  return (
    <article ref={row} tabIndex={-1} className={`${unreadDot.dot} ${styles.replyRow}`} data-unread={isUnread}>
      <div className={styles.replyHead}>
        <span className={styles.replyWho}>
          {isUnread && <VisuallyHidden>Unread: </VisuallyHidden>}
          {student_id && name ? <StudentLink id={student_id}>{name}</StudentLink> : (name ?? phone)}
        </span>
        <time dateTime={received_at} className={styles.replyTime}>
          {formatDateTime(received_at)}
        </time>
      </div>
      <p className={styles.replyText}>{text}</p>
      <div className={styles.replyFoot}>
        {name && phone}
        {wish && (
          <span className={styles.replyKeyword} data-keyword={wish}>
            {KEYWORD_LABELS[wish]}
          </span>
        )}
        {isUnread && (
          <BusyButton
            variant="default"
            size="sm"
            busy={read.isPending}
            busyLabel="Marking..."
            aria-label={`Mark read, ${name ?? formatPhone(phone_number)}`}
            onClick={() => read.mutate({ body: { message_ids: [id] } })}
          >
            Mark read
          </BusyButton>
        )}
      </div>
      <ErrorNotice>{read.error && errorMessage(read.error, 'The reply could not be marked read. Please try again.')}</ErrorNotice>
    </article>
  )
}
