import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { MAX_PROMOTIONS } from '@tatami/contract/belts/promotions'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { pluralize } from '../lib/text.ts'
import { FootBar } from '../ui/foot-bar.tsx'
import type { PreloadOnHover } from '../ui/lazy-component.tsx'
import styles from '../ui/selection-bar.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  /** Includes students whom the current search hides. */
  students: readonly ReadyStudent[]
  hiddenCount: number
  /** True if the list is for a future day, so that no one can be promoted from it yet. */
  isForecast: boolean
  onPromote: () => void
  promotePreload: PreloadOnHover
  onPlan: () => void
  planPreload: PreloadOnHover
  onClear: (ids: readonly string[]) => void
}

export function ReadyBar(props: Props) {
  const { students, hiddenCount, isForecast, onPromote, promotePreload } = props
  const { onPlan, planPreload, onClear } = props
  const earlyCount = students.filter(({ missing }) => missing.length > 0).length
  const isTooMany = students.length > MAX_PROMOTIONS
  return (
    <FootBar place="selection">
      <div role="region" aria-label="Selected students" className={`${kit.spread} ${styles.bar}`}>
        <p role="status" className={styles.text}>
          {pluralize(students.length, 'student')} selected
          {hiddenCount > 0 && `, ${hiddenCount} not shown`}
          {earlyCount > 0 && <span className={styles.sum}>{`${earlyCount} not ready`}</span>}
          {isTooMany && <span className={styles.sum}>{`At most ${MAX_PROMOTIONS} at a time`}</span>}
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
        <div className={styles.actions}>
          <Button
            variant={isForecast ? 'filled' : 'default'}
            disabled={isTooMany}
            {...planPreload}
            onClick={onPlan}
          >
            Plan a {schoolBeltTestName().singular}
          </Button>
          {!isForecast && (
            <Button
              disabled={isTooMany}
              aria-haspopup="dialog"
              {...promotePreload}
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
