import { type Grading, gradingsApi } from '@tatami/contract/gradings/gradings'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ChooseCandidates, type TextStudent, useCandidateChoice } from './choose-candidates.tsx'
import { showGrading } from './result-outbox.ts'

type Props = {
  grading: Grading
  onClose: () => void
  onText: TextStudent
  isLocked: boolean
}

export function AddSheet({ grading, onClose, onText, isLocked }: Props) {
  const { id, held_on, style_id } = grading
  const choice = useCandidateChoice(held_on, style_id, {
    excludedIds: new Set(grading.candidates.map(({ student_id }) => student_id)),
    isReadySelected: false,
  })
  const add = useEndpointMutation(gradingsApi.changeCandidates, {
    onSuccess: async (changedGrading) => {
      await showGrading(changedGrading)
      onClose()
    },
  })
  const { candidates, studentsWithoutRank } = choice
  const [studentWithoutRank] = studentsWithoutRank
  const error = add.error
    ? failureMessage(add, 'The candidates could not be added. Please try again.')
    : studentWithoutRank && `Choose a rank for ${studentWithoutRank.name}.`
  return (
    <FormDialog
      onClose={onClose}
      title="Add candidates"
      busy={add.isPending}
      isLocked={isLocked}
      isDirty={choice.isChanged}
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.isPending && !studentWithoutRank && candidates.length > 0)
          add.mutate({ params: { id }, body: { add: candidates } })
      }}
      error={error}
      submitLabel={
        candidates.length === 0 ? 'Add' : `Add ${pluralize(candidates.length, 'candidate')}`
      }
      busyLabel="Adding..."
      isReady={candidates.length > 0}
    >
      <ChooseCandidates choice={choice} day={held_on} onText={onText} />
    </FormDialog>
  )
}
