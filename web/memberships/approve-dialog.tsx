import { Button } from '@mantine/core'
import { ageOn } from '@tatami/contract/lib/calendar-day'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { describeAges, isForAge } from '@tatami/contract/plans/plan-facts'
import { plansApi } from '@tatami/contract/plans/plans'
import { type Approval, type Student, studentsApi } from '@tatami/contract/students/students'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { failureMessage, isRefused, progressProps } from '../lib/api.ts'
import { useCan } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ActPreviewBox } from './act-preview.tsx'
import { usePreview, withQuote } from './use-preview.ts'
import kit from '../ui/kit.module.css'

type RequestedPlan = { id: string; name: string }
type Props = { student: Student; plan: RequestedPlan; onClose: () => void }

/** Shows what the plan that a student chose on the join page costs, before it starts. */
export function ApproveDialog({ student, plan, onClose }: Props) {
  const cache = useQueryClient()
  const params = { id: student.id }
  const preview = useStartPreview(student.id, plan)
  const approval = useEndpointMutation(studentsApi.approve, {
    onSuccess: () => {
      onClose()
      refreshAll(cache)
    },
    // The sums may have changed. After a timeout, the student may be approved.
    onError: () => {
      refreshAll(cache)
      void preview.refetch()
    },
  })
  const approve = (body: Approval) => approval.isPending || approval.mutate({ params, body })
  const ageNote = useAgeNote(student, plan)
  const refusal = isRefused(preview.error) ? failureMessage(preview, '') : null
  const { busy, error } = progressProps(approval, 'This could not be saved.')
  return (
    <FormDialog
      title={`Approve ${student.name}?`}
      size="small"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        approve(withQuote({}, preview, {}))
      }}
      busy={busy}
      // The preview says already why the plan cannot start.
      error={error !== refusal && error}
      isReady={refusal === null}
      submitLabel={`Approve with ${plan.name}`}
      busyLabel="Approving..."
      extraAction={
        <Button variant="default" onClick={() => approve({ without_plan: true })}>
          Without the plan
        </Button>
      }
    >
      {ageNote && <p className={kit.orange}>{ageNote}</p>}
      {preview.isAllowed ? (
        <ActPreviewBox title="What happens" preview={preview} />
      ) : (
        <p>{plan.name} starts today.</p>
      )}
    </FormDialog>
  )
}

/** Staff who may not take money see no sums. */
function useStartPreview(studentId: string, plan: RequestedPlan) {
  const isAllowed = useCan()('money.take')
  const options = endpointQuery(membershipsApi.previewStart, {
    params: { id: studentId },
    body: { plan_id: plan.id, starts_on: today() },
  })
  return { ...usePreview(options, isAllowed), isAllowed }
}

/** The terms of the plan may have changed since the student chose it. */
function useAgeNote({ name, date_of_birth }: Student, { id }: RequestedPlan): string | null {
  const { data: plans = [] } = useQuery(endpointQuery(plansApi.list))
  const plan = plans.find((soldPlan) => soldPlan.id === id)
  if (!plan || date_of_birth === null) return null
  const age = ageOn(today(), date_of_birth)
  return isForAge(plan, age)
    ? null
    : `This plan is for another age (${describeAges(plan)}). ${name} is ${age}.`
}
