import { Button, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import type { SetupProgress, SetupStep } from '@tatami/contract/dashboard/setup'
import { useState, type ReactNode } from 'react'
import { failureMessage } from '../lib/api.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import type { LinkPath } from '../lib/paths.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { DoneNotice, ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './first-steps.module.css'
import { areStepsFolded, rememberFold } from './folded-steps.ts'
import type { SetupPlace } from './setup-place.ts'
import { getStepText, type StepActions, type StepProgress } from './setup-steps.ts'
import { StepRow } from './step-row.tsx'
import kit from '../ui/kit.module.css'

const InvitationSheet = lazyComponent(() => import('../dojos/invitation.tsx'), 'InvitationSheet')

type Props = {
  setup: SetupProgress
  place: SetupPlace
  /** The path to the roll of today’s first class. */
  rollLink: LinkPath
  hasClasses: boolean
}

export function FirstSteps(props: Props) {
  const neededSteps = props.setup.filter(({ state }) => state !== 'skipped')
  const doneCount = neededSteps.filter(({ state }) => state === 'done').length
  const progress = (
    <span aria-live="polite">
      {doneCount} of {neededSteps.length} done
    </span>
  )
  return (
    <Panel title="First steps" aside={progress}>
      <ProgressBar share={doneCount / Math.max(1, neededSteps.length)} />
      <Checklist {...props} />
    </Panel>
  )
}

const ProgressBar = ({ share }: { share: number }) => (
  <div className={styles.bar} aria-hidden>
    <div style={{ width: `${share * 100}%` }} />
  </div>
)

function Checklist({ setup, place, rollLink, hasClasses }: Props) {
  const [showsInvitation, setShowsInvitation] = useState(false)
  const { skip, bringBack, error } = useSkippedSteps(setup)
  const nextStep = setup.find(({ state }) => state === 'open')
  const getText = (stepProgress: StepProgress) => {
    const text = getStepText(stepProgress, hasClasses)
    return stepProgress.step === 'roll' ? { ...text, path: rollLink } : text
  }
  const actions = {
    getText,
    openDialog: () => setShowsInvitation(true),
    skip,
    bringBack,
  }
  return (
    <div className={styles.checklist} data-place={place} data-layout={useLayout()}>
      {nextStep ? (
        <NextStep stepProgress={nextStep} actions={actions} />
      ) : (
        <DoneNotice>You’re all set. You won’t see this list next time.</DoneNotice>
      )}
      <div>
        <ErrorNotice>{error}</ErrorNotice>
        <Disclosure summary="All steps" startsOpen={!areStepsFolded()} onToggle={rememberFold}>
          <ul className={`${kit.hairlines} ${styles.steps}`} aria-label="All first steps">
            {setup
              .filter((stepProgress) => stepProgress !== nextStep)
              .map((stepProgress) => (
                <StepRow key={stepProgress.step} stepProgress={stepProgress} actions={actions} />
              ))}
          </ul>
        </Disclosure>
      </div>
      {showsInvitation && <InvitationSheet onClose={() => setShowsInvitation(false)} />}
    </div>
  )
}

type NextStepProps = { stepProgress: StepProgress; actions: StepActions }

function NextStep({ stepProgress, actions }: NextStepProps) {
  const { title, text, path, minutes, takesDays, action, alternative, StepIcon } =
    actions.getText(stepProgress)
  return (
    <div className={styles.next}>
      <p className={`${kit.note} ${kit.line}`}>
        <StepIcon size={20} stroke={1.5} aria-hidden />
        {stepProgress.needs_operator
          ? 'Next, with the person who runs the server'
          : `Next, about ${pluralize(minutes, 'minute')}${takesDays ? ', then days' : ''}`}
      </p>
      <Title order={3}>{title}</Title>
      <p className={kit.muted}>{text}</p>
      <div className={kit.row}>
        <StepButton path={path} onOpen={actions.openDialog}>
          {action}
        </StepButton>
        {alternative && (
          <Button component={LayoutLink} to={alternative.path} variant="default">
            {alternative.label}
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          aria-label={`Not needed: ${title}`}
          onClick={() => actions.skip(stepProgress.step)}
        >
          Not needed
        </Button>
      </div>
    </div>
  )
}

type StepButtonProps = { path: LinkPath | null; onOpen: () => void; children: ReactNode }

const StepButton = ({ path, onOpen, children }: StepButtonProps) =>
  path === null ? (
    <Button onClick={onOpen} aria-haspopup="dialog" {...InvitationSheet.preloadOnHover}>
      {children}
    </Button>
  ) : (
    <Button component={LayoutLink} to={path} state={{ isLinked: true }}>
      {children}
    </Button>
  )

function useSkippedSteps(setup: SetupProgress) {
  const cache = useQueryClient()
  const save = useEndpointMutation(dashboardApi.skipSteps, {
    // Requests with the same scope are sent one after another.
    scope: { id: 'skipped steps' },
    onSuccess: ({ setup: newSetup }) =>
      cache.setQueryData(
        endpointQuery(dashboardApi.stats).queryKey,
        (stats) => stats && { ...stats, setup: newSetup },
      ),
  })
  const savedSteps = setup.filter(({ state }) => state === 'skipped').map(({ step }) => step)
  const skippedSteps = save.isPending ? save.variables.body.skipped_steps : savedSteps
  const saveSteps = (skipped_steps: SetupStep[]) => save.mutate({ body: { skipped_steps } })
  const stepsWithout = (step: SetupStep) =>
    skippedSteps.filter((skippedStep) => skippedStep !== step)
  return {
    skip: (step: SetupStep) => saveSteps([...stepsWithout(step), step]),
    bringBack: (step: SetupStep) => saveSteps(stepsWithout(step)),
    error: failureMessage(save, 'That could not be saved. Please try again.'),
  }
}
