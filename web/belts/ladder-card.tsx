import { Button } from '@mantine/core'
import type { Ladder, Style } from '@tatami/contract/belts'
import { pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { studentsBeside, studentsOn } from './belts-data.ts'
import styles from './ladder-card.module.css'
import type { Opened } from './opened.ts'
import { RankRows } from './rank-rows.tsx'
import { ageWords } from './rank-words.ts'

type Props = { ladder: Ladder; style: Style; onOpen: (opened: Opened) => void }

/** A ladder as it is drawn, with what one does with it. */
export function LadderCard({ ladder, style, onOpen }: Props) {
  const count = studentsOn(ladder)
  const beside = studentsBeside(style, ladder)
  const facts = [ageWords(ladder), count > 0 && pluralize(count, 'student')].filter(Boolean).join(' · ')
  return (
    <Panel title={ladder.name}>
      {count === 0 && beside > 0 && (
        <p className={styles.nobody}>Nobody stands on this ladder yet. Change it as you like, then bring your students over.</p>
      )}
      <div className={styles.acts}>
        {facts && <span className={styles.facts}>{facts}</span>}
        <Button variant="default" size="sm" aria-label={`Edit ${ladder.name}`} onClick={() => onOpen({ what: 'edit', id: ladder.id })}>
          Edit
        </Button>
        {beside > 0 && (
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
      <RankRows label={`Ranks of ${ladder.name}`} ranks={ladder.ranks} />
    </Panel>
  )
}
