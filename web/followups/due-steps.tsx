import { Button } from '@mantine/core'
import type { DueStep, DueSteps } from '@tatami/contract/followups/followups'
import { LayoutLink } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import rows from '../ui/rows.module.css'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { describePlanDay, KIND_NAMES } from './followup-words.ts'
import styles from './followups.module.css'
import { useSetState } from './use-set-state.tsx'
import kit from '../ui/kit.module.css'

/** The steps that somebody should do now, each with a button for done and one for skipped. */
export function DueStepList({ steps, total }: DueSteps) {
  const { close, undoBar } = useSetState()
  const hiddenCount = total - steps.length
  return (
    <>
      {steps.length > 0 && (
        <ul className={rows.list} aria-label="To do for new students">
          {steps.map((step) => (
            <DueStepRow
              key={step.id}
              step={step}
              onClose={(state) => close({ id: step.id, name: step.student_name, state })}
            />
          ))}
          {hiddenCount > 0 && (
            <li>
              <LayoutLink to={PATHS.followups} className={styles.more}>
                and {hiddenCount} more
              </LayoutLink>
            </li>
          )}
        </ul>
      )}
      {undoBar}
    </>
  )
}

type RowProps = { step: DueStep; onClose: (state: 'done' | 'skipped') => void }

const DueStepRow = ({ step, onClose }: RowProps) => (
  <li>
    <div className={rows.text}>
      <StudentLink id={step.student_id} className={`${kit.name} ${rows.name}`}>
        {step.student_name}
      </StudentLink>
      <span className={kit.facts}>
        <span>{describePlanDay(step.plan_day)}</span>
        <span>
          {KIND_NAMES[step.kind]}: {step.words}
        </span>
      </span>
    </div>
    <div className={styles.actions}>
      <Button variant="default" onClick={() => onClose('done')}>
        Done<VisuallyHidden>{` ${step.student_name}: ${step.words}`}</VisuallyHidden>
      </Button>
      <Button variant="subtle" onClick={() => onClose('skipped')}>
        Skip<VisuallyHidden>{` ${step.student_name}: ${step.words}`}</VisuallyHidden>
      </Button>
    </div>
  </li>
)
