import { Title } from '@mantine/core'
import type { GradingSummary } from '@tatami/contract/gradings/gradings'
import { useId } from 'react'
import { formatDate, today } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { gradingPath } from '../lib/paths.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { FramedList } from '../ui/framed-list.tsx'
import styles from './grading-list.module.css'
import { describeAnswers, formatTime } from './grading-text.ts'
import kit from '../ui/kit.module.css'

type Props = { title: string; gradings: readonly GradingSummary[] }

export function GradingList({ title, gradings }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Title order={2} id={heading} className={styles.title}>
        {title}
      </Title>
      <FramedList>
        {gradings.map((grading) => (
          <li key={grading.id}>
            <GradingRow grading={grading} />
          </li>
        ))}
      </FramedList>
    </section>
  )
}

type RowProps = { grading: GradingSummary }

function GradingRow({ grading: { id, name, held_on, held_at, place, state, counts } }: RowProps) {
  const dateAndPlace = joinNonEmpty(
    [formatDate(held_on), held_at && formatTime(held_at), place],
    ' · ',
  )
  return (
    <LayoutLink to={gradingPath(id)} className={`${kit.plainLink} ${styles.row}`}>
      <span className={kit.strong}>{name}</span>
      <span className={kit.note}>{dateAndPlace}</span>
      <span className={kit.note}>{describeAnswers({ counts, state })}</span>
      <span className={styles.state}>
        {held_on === today() && state !== 'finished' && <Badge tone="blue">Today</Badge>}
        {state === 'draft' && <Badge>No one invited</Badge>}
        {held_on < today() && state !== 'finished' && <Badge tone="orange">Not finished</Badge>}
        {state === 'finished' && <Badge tone="green">Finished</Badge>}
      </span>
    </LayoutLink>
  )
}
