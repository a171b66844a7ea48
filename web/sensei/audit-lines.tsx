import type { AuditLine } from '@tatami/contract/sensei'
import { showMoment } from '../lib/dates.ts'
import classes from './audit-lines.module.css'
import { auditWords } from './audit-words.ts'

export const AuditLines = ({ lines }: { lines: AuditLine[] }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be in reach of the keyboard.
  <ol className={classes.lines} tabIndex={0}>
    {lines.map((line) => (
      <li key={line.id} className={classes.line}>
        <Line line={line} />
      </li>
    ))}
  </ol>
)

function Line({ line }: { line: AuditLine }) {
  const { subject, dojo_name, actor, created_at } = line
  const about = [subject, dojo_name].filter(Boolean).join(' · ')
  return (
    <>
      <div className={classes.what}>
        {auditWords(line)}
        {about && <small>{about}</small>}
      </div>
      <div className={classes.who}>
        <time dateTime={created_at}>{showMoment(created_at)}</time>
        <small>by {actor}</small>
      </div>
    </>
  )
}
