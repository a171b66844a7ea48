import { formatMoney } from '@tatami/contract/lib/money'
import type { PaidPerson, PayLine, PayOverview } from '@tatami/contract/staff/pay'
import { formatDate } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { formatDuration } from '../lib/work-time.ts'
import { Badge } from '../ui/badge.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import kit from '../ui/kit.module.css'
import { describeTask } from './describe-hours.ts'
import styles from './paid-people.module.css'

type Props = { pay: PayOverview; maySeeMoney: boolean }

/** One row for each person. It opens to show the entries. */
export function PaidPeople({ pay: { people, lines, total }, maySeeMoney }: Props) {
  return (
    <>
      <ul className={`${kit.hairlines} ${styles.people}`} aria-label="People">
        {people.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            lines={lines.filter(({ person_id }) => person_id === person.id)}
            maySeeMoney={maySeeMoney}
          />
        ))}
      </ul>
      <p className={`${kit.spread} ${kit.divided}`}>
        <b>Total</b>
        <b>
          {formatDuration(total.minutes)}
          {maySeeMoney && `, ${formatMoney(total.pay)}`}
        </b>
      </p>
    </>
  )
}

type PersonProps = { person: PaidPerson; lines: readonly PayLine[]; maySeeMoney: boolean }

function PersonRow({ person, lines, maySeeMoney }: PersonProps) {
  const correctionCount = lines.filter(({ is_correction }) => is_correction).length
  const summary = (
    <span className={`${kit.fill} ${kit.spread}`}>
      <span className={kit.wrap}>
        <span className={kit.name}>{person.name}</span>
        {correctionCount > 0 && (
          <Badge tone="blue">{pluralize(correctionCount, 'correction')}</Badge>
        )}
        {person.without_rate > 0 && (
          <Badge tone="orange">
            {pluralize(person.without_rate, 'entry', 'entries')} without a rate
          </Badge>
        )}
      </span>
      <span className={styles.sums}>
        {formatDuration(person.minutes)}
        {maySeeMoney && <b>{formatMoney(person.pay)}</b>}
      </span>
    </span>
  )
  return (
    <li>
      <Disclosure summary={summary}>
        <div className={styles.scroller}>
          <LinesTable name={person.name} lines={lines} maySeeMoney={maySeeMoney} />
        </div>
      </Disclosure>
    </li>
  )
}

type TableProps = { name: string; lines: readonly PayLine[]; maySeeMoney: boolean }

const LinesTable = ({ name, lines, maySeeMoney }: TableProps) => (
  <table className={styles.lines} aria-label={`Entries of ${name}`}>
    <thead>
      <tr>
        <th scope="col">Day</th>
        <th scope="col">Task</th>
        <th scope="col">Hours</th>
        {maySeeMoney && <th scope="col">Pay</th>}
      </tr>
    </thead>
    <tbody>
      {lines.map((line, index) => (
        <tr key={index}>
          <th scope="row">{formatDate(line.day)}</th>
          <td>
            {describeTask(line)}
            {line.is_correction && <span className={kit.blue}> (correction)</span>}
          </td>
          <td>{formatDuration(line.minutes)}</td>
          {maySeeMoney && (
            <td>
              {formatMoney(line.pay)}
              <span className={`${kit.note} ${styles.rate}`}>{describeRate(line)}</span>
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
)

const describeRate = ({ rate, unit, minutes }: PayLine): string => {
  if (rate !== null) return `${formatMoney(rate)} per ${unit}`
  return minutes > 0 ? 'No rate' : ''
}
