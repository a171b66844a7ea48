import { VisuallyHidden } from '@mantine/core'
import { badge } from '@tatami/contract/notifications'
import classes from './unread-mark.module.css'

/** How many are unread behind an entry of the navigation; nothing when none are. */
export const UnreadMark = ({ unread }: { unread: number }) =>
  unread > 0 && (
    <>
      <span className={classes.mark} aria-hidden>
        {badge(unread)}
      </span>
      <VisuallyHidden>, {badge(unread)} unread</VisuallyHidden>
    </>
  )
