import { Paper } from '@mantine/core'
import type { OwnBelts } from '@tatami/contract/belts/readiness'
import { readinessApi } from '@tatami/contract/belts/readiness'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { firstName } from '@tatami/contract/lib/name-parts'
import { ShareButton } from '../belts/share-button.tsx'
import { findNewBelt } from '../belts/new-belt.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { describeNewBelt } from './describe-belt.ts'
import { RankBelt } from '../ui/rank-belt.tsx'
import styles from './guardian-home.module.css'
import kit from '../ui/kit.module.css'

const NEW_BELT_DAYS = 7

export const ownBeltsQuery = endpointQuery(readinessApi.own)

/** Shows parents the belts that their children got in the last week. */
export function NewBelts() {
  const { data } = useRetryingQuery(ownBeltsQuery)
  return data?.students.flatMap(({ student_id, name, styles: studentStyles }) =>
    studentStyles.map(({ style, history }) => (
      <NewBelt key={`${student_id} ${style.id}`} name={name} history={history} />
    )),
  )
}

type Props = { name: string; history: OwnBelts['styles'][number]['history'] }

function NewBelt({ name, history }: Props) {
  const newBelt = findNewBelt(history, today())
  if (!newBelt || newBelt.given_on <= addDays(today(), -NEW_BELT_DAYS)) return null
  const text = describeNewBelt(firstName(name), newBelt.rank)
  return (
    <Paper component="section" className={`${kit.line} ${styles.card}`} aria-label={text}>
      <RankBelt rank={newBelt.rank} level="white" size={56} decorative />
      <div className={kit.stackTight}>
        <strong>{text}</strong>
        <ShareButton name={name} history={history} />
      </div>
    </Paper>
  )
}
