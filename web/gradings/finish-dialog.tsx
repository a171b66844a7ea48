import { type Grading, gradingsApi } from '@tatami/contract/gradings/gradings'
import { readinessApi } from '@tatami/contract/belts/readiness'
import { studentsApi } from '@tatami/contract/students/students'
import { progressProps } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { showGrading } from './result-outbox.ts'
import { describeOutcome } from './grading-text.ts'

export function FinishDialog({ grading, onClose }: { grading: Grading; onClose: () => void }) {
  const { id, name, candidates } = grading
  const finish = useEndpointMutation(gradingsApi.finish, {
    refreshes: [studentsApi.list, studentsApi.show, readinessApi.ready, readinessApi.ofStudent],
    onSuccess: async ({ grading: finishedGrading }) => {
      await showGrading(finishedGrading)
      onClose()
    },
  })
  const withoutResultCount = candidates.filter(
    ({ result, answer, has_rank }) => result === null && answer !== 'no' && !has_rank,
  ).length
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => finish.isPending || finish.mutate({ params: { id } })}
      title={`Finish ${name}?`}
      confirmLabel="Finish"
      busyLabel="Finishing..."
      {...progressProps(
        finish,
        `The ${schoolBeltTestName().singular} could not be finished. Please try again.`,
      )}
    >
      <strong>{describeOutcome(candidates)}</strong>
      {withoutResultCount > 0 &&
        ` ${pluralize(withoutResultCount, 'candidate')} without a result will not change.`}{' '}
      Promoted students are notified. You can’t change results after this, but you can undo a
      promotion on the student’s page.
    </ConfirmDialog>
  )
}
