import { VisuallyHidden } from '@mantine/core'
import { SKIP_WORDS } from '@tatami/contract/message-words'
import type { IncomingText, Wish } from '@tatami/contract/text-history'
import { showMoment } from '../kernel/dates.ts'
import unread from '../ui/unread-dot.module.css'
import classes from './inbox-row.module.css'
import { PhoneLink } from './phone-link.tsx'

const WISH_WORDS: Record<Wish, string> = { stop: SKIP_WORDS.opted_out, start: 'Gets texts again', help: 'Was told how to stop' }

/** What is below this line on the screen may be under a phone's tabs. */
const SEEN = { rootMargin: '0px 0px -80px 0px' }

type Props = { incoming: IncomingText; isNew: boolean; onSeen: () => void }

/** What somebody wrote back. An unread one has its dot. */
export function InboxRow({ incoming: { name, phone_number, text, wish, received_at, read_at }, isNew, onSeen }: Props) {
  const watch = (row: HTMLElement) => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(), SEEN)
    if (read_at === null) observer.observe(row)
    return () => observer.disconnect()
  }
  const phone = <PhoneLink phone={phone_number} name={name} />
  return (
    <article ref={watch} className={`${unread.dot} ${classes.row}`} data-unread={isNew}>
      <div className={classes.head}>
        <span className={classes.who}>
          {isNew && <VisuallyHidden>Unread: </VisuallyHidden>}
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
      </div>
    </article>
  )
}
