import { Button } from '@mantine/core'
import { textingApi } from '@tatami/contract/texting'
import { badge, POLL_MS } from '@tatami/contract/notifications'
import { usePages } from '../lib/pages.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import classes from './inbox.module.css'
import { InboxRow } from './inbox-row.tsx'
import { Rows, Section } from './section.tsx'
import { useCompact } from './use-compact.ts'
import { useInboxUnread } from './use-inbox-unread.ts'

const ROWS = 10

/** What people wrote back, each marked read by a press. */
export function Inbox() {
  const inbox = usePages(textingApi.inbox, { limit: ROWS, pollMs: POLL_MS }),
    unread = useInboxUnread()
  const texts = inbox.rows
  const { list, shown, isCut, showAll } = useCompact(texts)
  return (
    <Section
      title="Inbox"
      aside={<span role="status">{unread > 0 && <span className={classes.unread}>{badge(unread)} unread</span>}</span>}
    >
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
        {isCut && (
          <Button variant="default" onClick={showAll}>
            Show the whole inbox
          </Button>
        )}
      </MoreRows>
    </Section>
  )
}
