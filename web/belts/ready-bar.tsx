import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { MAX_PROMOTED } from '@tatami/contract/promotions'
import type { ReadyStudent } from '@tatami/contract/readiness'
import { useState } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import styles from '../ui/selection-bar.module.css'

const WaiveDialog = lazyComponent(() =>
  import('./waive-dialog.tsx').then((part) => part.WaiveDialog),
)

type Props = {
  /** Who is selected, whether the search shows them or not. */
  students: readonly ReadyStudent[]
  /** How many of them the search hides. */
  hidden: number
  /** For a day to come: nobody is promoted then. */
  isForecast: boolean
  onPromote: (students: readonly ReadyStudent[]) => Promise<void>
  onPlan: () => void
  onPlanIntent: () => void
  onClear: (ids: readonly string[]) => void
}

/** What is done with the selected students: one call promotes them all. */
export function ReadyBar({
  students,
  hidden,
  isForecast,
  onPromote,
  onPlan,
  onPlanIntent,
  onClear,
}: Props) {
  // What the buttons say does not change under the finger.
  const [promoting, setPromoting] = useState<readonly ReadyStudent[] | null>(null)
  const [isAsking, ask] = useState(false)
  const shown = promoting ?? students
  const early = shown.filter(({ missing }) => missing.length > 0)
  const isTooMany = shown.length > MAX_PROMOTED
  const idsOf = (some: readonly ReadyStudent[]) => some.map(({ student_id }) => student_id)
  const promote = async () => {
    ask(false)
    setPromoting(students)
    await onPromote(students)
    // Who was selected meanwhile stays so.
    onClear(idsOf(students))
    setPromoting(null)
  }
  return (
    <div
      role="region"
      aria-label="Selected students"
      className={styles.bar}
      data-layout={useLayout()}
    >
      <p role="status" className={styles.words}>
        {pluralize(shown.length, 'student')} selected
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
          disabled={promoting !== null}
          onClick={() => onClear(idsOf(students))}
        >
          <IconX size={20} aria-hidden />
        </Button>
      </div>
      <div className={styles.acts}>
        <Button
          variant={isForecast ? 'filled' : 'default'}
          disabled={isTooMany || promoting !== null}
          onPointerEnter={onPlanIntent}
          onFocus={onPlanIntent}
          onClick={onPlan}
        >
          Plan a grading
        </Button>
        {!isForecast && (
          <BusyButton
            busy={promoting !== null}
            busyLabel="Promoting..."
            disabled={isTooMany}
            onPointerEnter={WaiveDialog.preload}
            onClick={() => (early.length > 0 ? ask(true) : void promote())}
          >
            {`Promote ${shown.length}`}
          </BusyButton>
        )}
      </div>
      {isAsking && (
        <WaiveDialog
          students={students}
          onClose={() => ask(false)}
          onConfirm={() => void promote()}
        />
      )}
    </div>
  )
}
