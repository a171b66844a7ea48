import { formatDate, today } from '../lib/dates.ts'
import classes from './print-head.module.css'
import { useCurrentUser } from '../lib/current-user.ts'

/** What a sheet of paper has to say, as nothing around it does: whose it is, what it shows, and as of when. */
export function PrintHead({ title }: { title: string | undefined }) {
  const { dojo_name } = useCurrentUser()
  return (
    <p className={classes.head} aria-hidden>
      <span>{[dojo_name, title].filter(Boolean).join(' · ')}</span>
      <span>{formatDate(today())}</span>
    </p>
  )
}
