import { IconInfoCircle } from '@tabler/icons-react'
import { drafts } from '../lib/drafts.ts'
import { session } from '../lib/session.ts'
import classes from './session-ended.module.css'

/** Why one stands before the login again, and what became of what was typed. Nothing where no session has ended. */
export function SessionEnded() {
  const isKept = !drafts.isEmpty()
  if (!isKept && !session.hasEnded()) return null
  return (
    <p role="alert" className={classes.notice}>
      <IconInfoCircle size={20} aria-hidden />
      {isKept ? 'Your session has ended. Sign in again; what you typed is kept.' : 'Your session has ended. Sign in again.'}
    </p>
  )
}
