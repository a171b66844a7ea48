import { Button } from '@mantine/core'
import type { Ladder, Style } from '@tatami/contract/belts/belts'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { useEffect, useRef } from 'react'
import { formatInstantDate } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { studentsBeside, studentsOn } from './belts-data.ts'
import styles from './ladder-card.module.css'
import type { OpenDialog } from './opened.ts'
import { RankRows } from './rank-rows.tsx'
import { ageWords } from './rank-words.ts'
import { UndoButton } from './undo-button.tsx'
import kit from '../ui/kit.module.css'

type Props = {
  ladder: Ladder
  style: Style
  isAdded: boolean
  onOpen: (opened: OpenDialog) => void
}

export function LadderCard({ ladder, style, isAdded, onOpen }: Props) {
  const card = useRef<HTMLDivElement>(null)
  // The closing dialog returns the focus to its button, which may be far from here.
  useEffect(() => {
    if (isAdded) card.current?.scrollIntoView({ block: 'start' })
  }, [isAdded])
  const count = studentsOn(ladder)
  const movableCount = studentsBeside(style, ladder)
  const facts = joinNonEmpty([ageWords(ladder), count > 0 && pluralize(count, 'student')], ' · ')
  return (
    <div ref={card} className={styles.card}>
      <Panel title={ladder.name}>
        {count === 0 && movableCount > 0 && (
          <p>No students on this ladder yet. Edit it, then move your students here.</p>
        )}
        <div className={kit.row}>
          {facts && <span className={styles.facts}>{facts}</span>}
          <Button
            variant="default"
            size="sm"
            aria-label={`Edit ${ladder.name}`}
            onClick={() => onOpen({ what: 'edit', id: ladder.id })}
          >
            Edit
          </Button>
          {movableCount > 0 && (
            <Button
              variant={count === 0 ? 'filled' : 'default'}
              size="sm"
              aria-label={`Move students to ${ladder.name}`}
              onClick={() => onOpen({ what: 'bring', id: ladder.id })}
            >
              Move students here
            </Button>
          )}
        </div>
        {ladder.last_conversion && (
          <LastConversion ladder={ladder} conversion={ladder.last_conversion} />
        )}
        <RankRows label={`Ranks of ${ladder.name}`} ranks={ladder.ranks} />
      </Panel>
    </div>
  )
}

type ConversionProps = { ladder: Ladder; conversion: NonNullable<Ladder['last_conversion']> }

/** A conversion can be undone as long as no promotion has followed it. */
const LastConversion = ({ ladder, conversion }: ConversionProps) => (
  <div className={kit.note}>
    {pluralize(conversion.students, 'student')} moved here{' '}
    {formatInstantDate(conversion.changed_at)}.{' '}
    <UndoButton
      endpoint={promotionsApi.undoAct}
      id={conversion.act_id}
      label={`Undo moving students to ${ladder.name}`}
      title={`Undo for ${pluralize(conversion.students, 'student')}?`}
      variant="subtle"
      px={0}
    >
      Each student goes back to the earlier belt, with its time and classes.
    </UndoButton>
  </div>
)
