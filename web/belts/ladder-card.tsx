import { Button } from '@mantine/core'
import type { Ladder, Style } from '@tatami/contract/belts/belts'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { useEffect, useRef } from 'react'
import { formatInstantDate } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { countOtherStudents, countStudents } from './belts-data.ts'
import styles from './ladder-card.module.css'
import type { OpenDialog } from './open-dialog.ts'
import { RankRows } from './rank-rows.tsx'
import { describeAges } from './rank-text.ts'
import { UndoButton } from './undo-button.tsx'
import kit from '../ui/kit.module.css'

type Props = {
  ladder: Ladder
  style: Style
  isJustAdded: boolean
  onOpen: (dialog: OpenDialog) => void
}

export function LadderCard({ ladder, style, isJustAdded, onOpen }: Props) {
  const cardRef = useRef<HTMLDivElement>(null)
  // The dialog returns the focus to the button that opened it, which may be far from the new card.
  useEffect(() => {
    if (isJustAdded) cardRef.current?.scrollIntoView({ block: 'start' })
  }, [isJustAdded])
  const studentCount = countStudents(ladder)
  const movableCount = countOtherStudents(style, ladder)
  const hasMoveHint = studentCount === 0 && movableCount > 0
  const countText = studentCount === 0 ? 'No students yet' : pluralize(studentCount, 'student')
  const description = joinNonEmpty([describeAges(ladder), !hasMoveHint && countText], ' · ')
  return (
    <div ref={cardRef} className={styles.card}>
      <Panel title={ladder.name}>
        {hasMoveHint && (
          <p>No students on this ladder yet. Edit it, then move your students here.</p>
        )}
        <div className={kit.row}>
          {description && <span className={styles.facts}>{description}</span>}
          <Button
            variant="default"
            size="sm"
            aria-label={`Edit ${ladder.name}`}
            onClick={() => onOpen({ type: 'edit', id: ladder.id })}
          >
            Edit
          </Button>
          {movableCount > 0 && (
            <Button
              variant={studentCount === 0 ? 'filled' : 'default'}
              size="sm"
              aria-label={`Move students to ${ladder.name}`}
              onClick={() => onOpen({ type: 'move-students', id: ladder.id })}
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

/** The last time students were moved here. It can be undone until one of them is promoted. */
const LastConversion = ({ ladder, conversion }: ConversionProps) => (
  <div className={kit.note}>
    {pluralize(conversion.students, 'student')} moved here{' '}
    {formatInstantDate(conversion.changed_at)}.{' '}
    <UndoButton
      endpoint={promotionsApi.undoBatch}
      id={conversion.act_id}
      label={`Undo moving students to ${ladder.name}`}
      title={`Undo for ${pluralize(conversion.students, 'student')}?`}
      variant="subtle"
      px={0}
    >
      Each student goes back to their earlier belt, and its time and classes count again.
    </UndoButton>
  </div>
)
