import { ActionIcon, Button } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconCircleMinus, IconX } from '@tabler/icons-react'
import { LayoutLink } from '../lib/layout-link.tsx'
import styles from './first-steps.module.css'
import type { StepActions, StepProgress } from './setup-steps.ts'
import kit from '../ui/kit.module.css'

const STATE_ICONS = { open: IconCircleDashed, done: IconCircleCheck, skipped: IconCircleMinus }

type Props = { stepProgress: StepProgress; actions: StepActions }

export function StepRow({ stepProgress, actions }: Props) {
  const { step, state } = stepProgress
  const { title, minutes, takesDays } = actions.getText(stepProgress)
  const StateIcon = STATE_ICONS[state]
  return (
    <li className={styles.step} data-state={state}>
      <StateIcon size={20} stroke={1.5} aria-hidden />
      <span className={kit.fill}>
        {state === 'open' ? <StepLink stepProgress={stepProgress} actions={actions} /> : title}
      </span>
      {state === 'done' && <span className={kit.note}>Done</span>}
      {state === 'open' && (
        <span className={kit.note}>
          {stepProgress.needs_operator
            ? 'Operator first'
            : `${minutes} min${takesDays ? ' + days' : ''}`}
        </span>
      )}
      {state === 'open' && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="2.75rem"
          aria-label={`Not needed: ${title}`}
          onClick={() => actions.skip(step)}
        >
          <IconX size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
      )}
      {state === 'skipped' && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={styles.bringBack}
          aria-label={`Bring back: ${title}`}
          onClick={() => actions.bringBack(step)}
        >
          Bring back
        </Button>
      )}
    </li>
  )
}

function StepLink({ stepProgress, actions }: Props) {
  const { title, path } = actions.getText(stepProgress)
  return path === null ? (
    <button
      type="button"
      className={`${kit.bareButton} ${styles.link}`}
      aria-haspopup="dialog"
      onClick={actions.openDialog}
    >
      {title}
    </button>
  ) : (
    <LayoutLink to={path} state={{ isLinked: true }} className={styles.link}>
      {title}
    </LayoutLink>
  )
}
