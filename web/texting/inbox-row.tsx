import { VisuallyHidden } from '@mantine/core'
import { SKIP_REASON_LABELS } from '@tatami/contract/message-types'
import { textingApi } from '@tatami/contract/texting'
import type { IncomingText, Keyword } from '@tatami/contract/text-history'
import { useRef } from 'react'
import { explain } from '../lib/api.ts'
import { showMoment } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { showPhone } from '../lib/show-phone.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import unread from '../ui/unread-dot.module.css'
import classes from './inbox-row.module.css'
import { PhoneLink } from './phone-link.tsx'

const WISH_WORDS: Record<Keyword, string> = { stop: SKIP_REASON_LABELS.opted_out, start: 'Gets texts again', help: 'Was told how to stop' }

/** What somebody wrote back. An unread one has its dot until "Mark read" is pressed: that it was on the screen says nothing. */
export function InboxRow({ incoming: { id, name, phone_number, text, wish, received_at, read_at } }: { incoming: IncomingText }) {
  const row = useRef<HTMLElement>(null)
  const read = useEndpointMutation(textingApi.readInbox, {
    refreshes: [textingApi.inbox, textingApi.inboxUnread],
    // The button that had the focus goes away.
    onSuccess: () => row.current?.focus(),
  })
  const isUnread = read_at === null && !read.isSuccess
  const phone = <PhoneLink phone={phone_number} name={name} />
  return (
    <article ref={row} tabIndex={-1} className={`${unread.dot} ${classes.row}`} data-unread={isUnread}>
      <div className={classes.head}>
        <span className={classes.who}>
          {isUnread && <VisuallyHidden>Unread: </VisuallyHidden>}
          {name ?? phone}
        </span>
        <time dateTime={received_at} className={classes.time}>
          {showMoment(received_at)}
        </time>
      </div>
      <p className={classes.text}>{text}</p>
      <div className={classes.foot}>
        {name && phone}
        {wish && (
          <span className={classes.wish} data-wish={wish}>
            {WISH_WORDS[wish]}
          </span>
        )}
        {isUnread && (
          <BusyButton
            variant="default"
            size="sm"
            busy={read.isPending}
            busyLabel="Marking..."
            aria-label={`Mark read, ${name ?? showPhone(phone_number)}`}
            onClick={() => read.mutate({ body: { message_ids: [id] } })}
          >
            Mark read
          </BusyButton>
        )}
      </div>
      <ErrorNotice>{read.error && explain(read.error, 'The reply could not be marked read. Please try again.')}</ErrorNotice>
    </article>
  )
}
