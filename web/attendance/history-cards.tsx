import { showDate } from '../lib/dates.ts'
import { MARKED_BY, type RecordsProps } from './history-table.tsx'
import classes from './history.module.css'
import { Presence } from './presence.tsx'

export const HistoryCards = ({ records, isOwn }: RecordsProps) => (
  <ul className={classes.cards}>
    {records.map(({ id, student_name, class_name, class_time, class_date, present }) => (
      <li key={id} className={classes.card}>
        <span className={classes.who}>{isOwn ? class_name : student_name}</span>
        <Presence present={present} />
        <span className={classes.about}>
          {isOwn ? class_time : class_name} · {showDate(class_date)}
        </span>
        <span className={classes.about}>Marked by {MARKED_BY}</span>
      </li>
    ))}
  </ul>
)
