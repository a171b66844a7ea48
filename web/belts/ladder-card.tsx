import { Button } from '@mantine/core'
import type { Ladder, Style } from '@tatami/contract/belts/belts'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { useEffect, useRef, useState } from 'react'
import { progressOf } from '../lib/api.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { joinWords, pluralize } from '../lib/text.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { Panel } from '../ui/panel.tsx'
import { studentsBeside, studentsOn, useRankMutation } from './belts-data.ts'
import styles from './ladder-card.module.css'
import type { OpenDialog } from './opened.ts'
import { RankRows } from './rank-rows.tsx'
import { ageWords } from './rank-words.ts'
import kit from '../ui/kit.module.css'

type Props = {
  ladder: Ladder
  style: Style
  isAdded: boolean
  onOpen: (opened: OpenDialog) => void
}

export function LadderCard({ ladder, style, isAdded, onOpen }: Props) {
  const card = useRef<HTMLDivElement>(null)
  // The dialog that added it gives the focus back to where it was opened, which may be far from here.
  useEffect(() => {
    if (isAdded) card.current?.scrollIntoView({ block: 'start' })
  }, [isAdded])
  const count = studentsOn(ladder)
  const movableCount = studentsBeside(style, ladder)
  const facts = joinWords([ageWords(ladder), count > 0 && pluralize(count, 'student')], ' · ')
  return (
    <div ref={card} className={styles.card}>
      <Panel title={ladder.name}>
        {count === 0 && movableCount > 0 && (
          <p>
            Nobody stands on this ladder yet. Change it as you like, then bring your students over.
          </p>
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
              aria-label={`Bring students to ${ladder.name}`}
              onClick={() => onOpen({ what: 'bring', id: ladder.id })}
            >
              Bring students here
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

/** The way back from a conversion, for as long as nothing rests on it. */
function LastConversion({ ladder, conversion: { act_id, students, changed_at } }: ConversionProps) {
  const [isAsking, ask] = useState(false)
  const { mutate, isPending, error } = useRankMutation(promotionsApi.undoAct, {
    onSuccess: () => ask(false),
  })
  return (
    <div className={kit.note}>
      {`${pluralize(students, 'student')} brought here ${formatInstantDate(changed_at)}.`}{' '}
      <Button
        variant="subtle"
        size="sm"
        px={0}
        aria-label={`Undo bringing students to ${ladder.name}`}
        onClick={() => ask(true)}
      >
        Undo
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={`Undo for ${pluralize(students, 'student')}?`}
        confirm="Undo"
        busyLabel="Undoing..."
        onClose={() => ask(false)}
        onConfirm={() => mutate({ params: { id: act_id } })}
        {...progressOf({ isPending, error }, 'That couldn’t be undone. Please try again.')}
      >
        Each student gets the earlier belt back, with its time and classes.
      </ConfirmDialog>
    </div>
  )
}
