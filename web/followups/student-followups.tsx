import { Button } from '@mantine/core'
import { type Followup, followupsApi } from '@tatami/contract/followups/followups'
import { progressProps } from '../lib/api.ts'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { describeClosing, describePlanDay, KIND_NAMES } from './followup-words.ts'
import styles from './followups.module.css'
import { FOLLOWUP_QUERIES, useSetState } from './use-set-state.tsx'
import kit from '../ui/kit.module.css'

/** The first 90 days on the page of a student. Nothing if the plan is off and was never on. */
export function StudentFollowups({ studentId }: { studentId: string }) {
  const params = { id: studentId }
  const { data } = useRetryingQuery(endpointQuery(followupsApi.student, { params }))
  const { setState } = useSetState()
  const can = useCan()
  const options = { refreshes: FOLLOWUP_QUERIES }
  const start = useEndpointMutation(followupsApi.start, options)
  const stop = useEndpointMutation(followupsApi.stop, options)
  if (!data || (data.steps.length === 0 && !data.may_start)) return null
  const { plan_day, is_paused, may_start, steps } = data
  const attempt = start.isError ? start : stop
  const dayText = plan_day === null ? null : describePlanDay(plan_day)
  return (
    <Panel title="First 90 days" aside={joinNonEmpty([dayText, is_paused && 'Away'], ' · ')}>
      <div className={kit.stackTight}>
        {steps.length === 0 && <p className={kit.muted}>Starts with the first class.</p>}
        <ol className={kit.hairlines}>
          {steps.map((step) => (
            <StepRow key={step.id} step={step} onSetState={(state) => setState(step.id, state)} />
          ))}
        </ol>
        <ErrorNotice>
          {progressProps(attempt, 'This could not be saved. Please try again.').error}
        </ErrorNotice>
        {can('students.edit') && may_start && (
          <BusyButton
            variant="default"
            mr="auto"
            busy={start.isPending}
            busyLabel="Starting..."
            onClick={() => start.mutate({ params })}
          >
            Start today
          </BusyButton>
        )}
        {can('students.edit') && plan_day !== null && (
          <BusyButton
            variant="default"
            mr="auto"
            busy={stop.isPending}
            busyLabel="Stopping..."
            onClick={() => stop.mutate({ params })}
          >
            Skip the other steps
          </BusyButton>
        )}
      </div>
    </Panel>
  )
}

type RowProps = { step: Followup; onSetState: (state: 'open' | 'done') => void }

function StepRow({ step, onSetState }: RowProps) {
  const isSent = step.kind === 'text' && step.state === 'done'
  const mayChange = !isSent && (step.is_due || step.state !== 'open')
  return (
    <li className={styles.step}>
      <span className={kit.strong}>Day {step.day}</span>
      <span>
        {KIND_NAMES[step.kind]}: {step.words}
        <span className={styles.detail}>{describeClosing(step)}</span>
      </span>
      {mayChange && (
        <Button
          variant="subtle"
          onClick={() => onSetState(step.state === 'open' ? 'done' : 'open')}
        >
          {step.state === 'open' ? 'Done' : 'Undo'}
          <VisuallyHidden>{` ${step.words}`}</VisuallyHidden>
        </Button>
      )}
    </li>
  )
}
