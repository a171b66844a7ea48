import { Button } from '@mantine/core'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import type { Student } from '@tatami/contract/students/students'
import type { progressProps } from '../lib/api.ts'
import { useCan } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ActPreviewBox } from './act-preview.tsx'
import { usePreview } from './use-preview.ts'

type Props = {
  student: Student
  plan: { id: string; name: string }
  progress: ReturnType<typeof progressProps>
  onApprove: (approval: { without_plan?: boolean }) => void
  onClose: () => void
}

/** Shows what the plan that a student chose on the join page costs, before it starts. */
export function ApproveDialog({ student, plan, progress, onApprove, onClose }: Props) {
  const seesSums = useCan()('money.take')
  const params = { id: student.id }
  const body = { plan_id: plan.id, starts_on: today() }
  const preview = usePreview(endpointQuery(membershipsApi.previewStart, { params, body }), seesSums)
  return (
    <FormDialog
      title={`Approve ${student.name}?`}
      size="small"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        onApprove({})
      }}
      {...progress}
      submitLabel={`Approve with ${plan.name}`}
      busyLabel="Approving..."
      extraAction={
        <Button variant="default" onClick={() => onApprove({ without_plan: true })}>
          Without the plan
        </Button>
      }
    >
      {seesSums ? (
        <ActPreviewBox title="What happens" preview={preview} />
      ) : (
        <p>{plan.name} starts today.</p>
      )}
    </FormDialog>
  )
}
