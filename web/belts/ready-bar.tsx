import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { MAX_PROMOTED } from '@tatami/contract/belts/promotions'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { beltTest } from '../lib/belt-test.ts'
import { pluralize } from '../lib/text.ts'
import { FootBar } from '../ui/foot-bar.tsx'
import type { Intent } from '../ui/lazy-component.tsx'
import styles from '../ui/selection-bar.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  /** Who is selected, whether the search shows them or not. */
  students: readonly ReadyStudent[]
  /** How many of them the search hides. */
  hidden: number
  /** For a day to come: nobody is promoted then. */
  isForecast: boolean
  /** Opens the sheet that says what promoting them will do. */
  onPromote: () => void
  promoteIntent: Intent
  onPlan: () => void
  planIntent: Intent
  onClear: (ids: readonly string[]) => void
}

export function ReadyBar({
  students,
  hidden,
  isForecast,
  onPromote,
  promoteIntent,
  onPlan,
  planIntent,
  onClear,
}: Props) {
  const early = students.filter(({ missing }) => missing.length > 0)
  const isTooMany = students.length > MAX_PROMOTED
  return (
    <FootBar place="selection">
      <div role="region" aria-label="Selected students" className={`${kit.spread} ${styles.bar}`}>
        <p role="status" className={styles.words}>
          {pluralize(students.length, 'student')} selected
          {hidden > 0 && `, ${hidden} not shown`}
          {early.length > 0 && <span className={styles.sum}>{`${early.length} not ready`}</span>}
          {isTooMany && <span className={styles.sum}>{`At most ${MAX_PROMOTED} at once`}</span>}
        </p>
        <div className={styles.side}>
          <Button
            variant="subtle"
            color="gray"
            px="xs"
            aria-label="Clear the selection"
            onClick={() => onClear(students.map(({ student_id }) => student_id))}
          >
            <IconX size={20} aria-hidden />
          </Button>
        </div>
        <div className={styles.acts}>
          <Button
            variant={isForecast ? 'filled' : 'default'}
            disabled={isTooMany}
            {...planIntent}
            onClick={onPlan}
          >
            Plan a {beltTest().singular}
          </Button>
          {!isForecast && (
            <Button
              disabled={isTooMany}
              aria-haspopup="dialog"
              {...promoteIntent}
              onClick={onPromote}
            >
              {`Promote ${students.length}`}
            </Button>
          )}
        </div>
      </div>
    </FootBar>
  )
}
