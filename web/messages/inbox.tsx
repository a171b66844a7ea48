import { Button } from '@mantine/core'
import { badge } from '@tatami/contract/notifications'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import classes from './inbox.module.css'
import { InboxRow } from './inbox-row.tsx'
import { Rows, Section } from './section.tsx'
import { useCompact } from './use-compact.ts'
import { useInbox } from './use-inbox.ts'
import { useInboxUnread } from './use-inbox-unread.ts'
import { useNewOnes } from './use-new-ones.ts'
import { useSeen } from './use-seen.ts'

/** What people wrote back. What was on the screen is read; its dot stays as long as one is here. */
export function Inbox() {
  const inbox = useInbox(),
    unread = useInboxUnread(),
    seen = useSeen()
  const { texts } = inbox
  const { list, shown, isCut, showAll } = useCompact(texts)
  const isNew = useNewOnes(texts)
  const retry = () => void (texts ? inbox.fetchNextPage() : inbox.refetch())
  return (
    <Section
      title="Inbox"
      aside={<span role="status">{unread > 0 && <span className={classes.unread}>{badge(unread)} unread</span>}</span>}
    >
      {!texts && !inbox.isError && <Skeletons count={3} height={104} label="Loading the inbox..." />}
      {texts?.length === 0 && <EmptyState>Nobody has written back yet. Answers to your texts appear here.</EmptyState>}
      {shown && shown.length > 0 && (
        <Rows list={list}>
          {shown.map((text) => (
            <li key={text.id}>
              <InboxRow incoming={text} isNew={isNew(text.id)} onSeen={() => seen(text.id)} />
            </li>
          ))}
        </Rows>
      )}
      {inbox.isError && !inbox.isFetching && <ErrorNotice onRetry={retry}>The inbox could not be loaded.</ErrorNotice>}
      {isCut && (
        <Button variant="default" onClick={showAll}>
          Show the whole inbox
        </Button>
      )}
      {!isCut && inbox.hasNextPage && (
        <BusyButton variant="default" busy={inbox.isFetchingNextPage} busyLabel="Loading..." onClick={() => void inbox.fetchNextPage()}>
          Show more
        </BusyButton>
      )}
    </Section>
  )
}
