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
import { SETUP_TEXTS, type StepActions } from './setup-steps.ts'
import { StepRow } from './step-row.tsx'
import kit from '../ui/kit.module.css'

const InvitationSheet = lazyComponent(() => import('../dojos/invitation.tsx'), 'InvitationSheet')

const TITLE = 'First steps'

type Props = {
  setup: SetupProgress
  /** The screen for the roll of today's class. */
  rollLink: LinkPath
  /** After the first roll, the checklist makes room for the day's work. */
  isFolded: boolean
}

export function FirstSteps({ setup, rollLink, isFolded }: Props) {
  const neededSteps = setup.filter(({ state }) => state !== 'skipped')
  const doneCount = neededSteps.filter(({ state }) => state === 'done').length
  const progress = (
    <span aria-live="polite">
      {doneCount} of {neededSteps.length} done
    </span>
  )
  const checklist = <Checklist setup={setup} rollLink={rollLink} />
  if (!isFolded)
    return (
      <Panel title={TITLE} aside={progress}>
        <ProgressBar share={doneCount / Math.max(1, neededSteps.length)} />
        {checklist}
      </Panel>
    )
  return (
    <section className={`${kit.card} ${styles.folded}`} aria-label={TITLE}>
      <Disclosure
        summary={
          <span className={`${kit.spread} ${kit.fill}`}>
            <Title order={2}>{TITLE}</Title>
            <span className={kit.muted}>{progress}</span>
          </span>
        }
      >
        {checklist}
      </Disclosure>
    </section>
  )
}

const ProgressBar = ({ share }: { share: number }) => (
  <div className={styles.bar} aria-hidden>
    <div style={{ width: `${share * 100}%` }} />
  </div>
)

type ChecklistProps = Pick<Props, 'setup' | 'rollLink'>

function Checklist({ setup, rollLink }: ChecklistProps) {
  const [showsInvitation, setShowsInvitation] = useState(false)
  const { skippedSteps, setSkippedSteps, error, isPending } = useSkippedSteps(setup)
  const nextStep = setup.find(({ state }) => state === 'open')?.step
  const actions = {
    pathOf: (step: SetupStep) => (step === 'roll' ? rollLink : SETUP_TEXTS[step].path),
    openDialog: () => setShowsInvitation(true),
    skip: (step: SetupStep) => isPending || setSkippedSteps([...skippedSteps, step]),
    bringBack: (step: SetupStep) =>
      isPending || setSkippedSteps(skippedSteps.filter((skippedStep) => skippedStep !== step)),
  }
  return (
    <div className={styles.checklist} data-layout={useLayout()}>
      {nextStep ? (
        <NextStep step={nextStep} actions={actions} />
      ) : (
        <DoneNotice>You’re all set. You won’t see this list next time.</DoneNotice>
      )}
      <div>
        <ErrorNotice>{error}</ErrorNotice>
        <ul className={`${kit.hairlines} ${styles.steps}`} aria-label="All first steps">
          {setup
            .filter(({ step }) => step !== nextStep)
            .map((entry) => (
              <StepRow key={entry.step} {...entry} actions={actions} />
            ))}
        </ul>
      </div>
      {showsInvitation && <InvitationSheet onClose={() => setShowsInvitation(false)} />}
    </div>
  )
}

function NextStep({ step, actions }: { step: SetupStep; actions: StepActions }) {
  const { title, text, minutes, action, alternative, StepIcon } = SETUP_TEXTS[step]
  return (
    <div className={styles.next}>
      <p className={`${kit.note} ${kit.line}`}>
        <StepIcon size={20} stroke={1.5} aria-hidden />
        Next, about {pluralize(minutes, 'minute')}
      </p>
      <Title order={3}>{title}</Title>
      <p className={kit.muted}>{text}</p>
      <div className={kit.row}>
        <StepButton path={actions.pathOf(step)} onOpen={actions.openDialog}>
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
          onClick={() => actions.skip(step)}
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
  const skippedSteps = setup.flatMap(({ step, state }) => (state === 'skipped' ? step : []))
  const save = useEndpointMutation(dashboardApi.skipSteps, {
    onSuccess: ({ setup: newSetup }) =>
      cache.setQueryData(
        endpointQuery(dashboardApi.stats).queryKey,
        (stats) => stats && { ...stats, setup: newSetup },
      ),
  })
  return {
    skippedSteps,
    setSkippedSteps: (skipped_steps: SetupStep[]) => save.mutate({ body: { skipped_steps } }),
    isPending: save.isPending,
    error: failureMessage(save, 'That could not be saved. Please try again.'),
  }
}
