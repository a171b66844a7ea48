import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { type FollowupState, followupsApi } from '@tatami/contract/followups/followups'
import { studentsApi } from '@tatami/contract/students/students'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { Snackbar } from '../ui/snackbar.tsx'

/** What shows steps, and reloads after a change. */
export const FOLLOWUP_QUERIES = [
  dashboardApi.stats,
  followupsApi.due,
  followupsApi.students,
  followupsApi.student,
  studentsApi.show,
]

type ClosedStep = { id: string; name: string; state: 'done' | 'skipped' }

/** Closes steps with one tap. The bar undoes the last one. */
export function useSetState() {
  const [closedStep, setClosedStep] = useState<ClosedStep | null>(null)
  const change = useEndpointMutation(followupsApi.setState, {
    refreshes: FOLLOWUP_QUERIES,
    onError: (error) =>
      alertFailure(errorMessage(error, 'This could not be saved. Please try again.')),
  })
  const setState = (id: string, state: FollowupState) =>
    change.mutate({ params: { id }, body: { state } })
  const close = (step: ClosedStep) => {
    if (change.isPending) return
    setState(step.id, step.state)
    setClosedStep(step)
  }
  const undoBar = closedStep && !change.isError && (
    <Snackbar
      key={closedStep.id}
      name={closedStep.name}
      actionLabel="Undo"
      onAction={() => {
        setState(closedStep.id, 'open')
        setClosedStep(null)
      }}
      onDismiss={() => setClosedStep(null)}
    >
      {closedStep.state === 'done' ? 'done' : 'skipped'}
    </Snackbar>
  )
  return { close, setState, undoBar }
}
