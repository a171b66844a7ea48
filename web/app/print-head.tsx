import { showDate, today } from '../lib/dates.ts'
import classes from './print-head.module.css'
import { useUser } from '../students/user.ts'

/** What a sheet of paper has to say, as nothing around it does: whose it is, what it shows, and as of when. */
export function PrintHead({ title }: { title: string | undefined }) {
  const { dojo_name } = useUser()
  return (
    <p className={classes.head} aria-hidden>
      <span>{[dojo_name, title].filter(Boolean).join(' · ')}</span>
      <span>{showDate(today())}</span>
    </p>
  )
}
