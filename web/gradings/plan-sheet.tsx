import { NativeSelect, Stack, Title } from '@mantine/core'
import { beltsApi } from '@tatami/contract/belts/belts'
import { gradingForm, gradingsApi } from '@tatami/contract/gradings/gradings'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ChooseCandidates, type TextStudent, useCandidateChoice } from './choose-candidates.tsx'
import { PLAN_DRAFT } from './drafts.ts'
import { createGradingValues, GradingFields, toRequestBody } from './grading-fields.tsx'
import { showGrading } from './result-outbox.ts'
import { suggestDate } from './grading-text.ts'

const CHOICE_OPTIONS = { excludedIds: new Set<string>(), isReadySelected: true }

type Props = {
  onClose: () => void
  onPlanned: (id: string) => void
  onText: TextStudent
  isLocked: boolean
}

export function PlanSheet({ onClose, onPlanned, onText, isLocked }: Props) {
  const form = useSchemaForm(gradingForm, createGradingValues(suggestDate(today())), toRequestBody)
  useDraft(PLAN_DRAFT, form)
  const [chosenStyleId, setChosenStyleId] = useState<string>()
  const { data: belts } = useQuery(endpointQuery(beltsApi.show))
  const day = form.values.held_on
  const choice = useCandidateChoice(day, chosenStyleId, CHOICE_OPTIONS)
  const create = useEndpointMutation(gradingsApi.create, {
    refreshes: [gradingsApi.list],
    onSuccess: async (grading) => {
      await showGrading(grading)
      onPlanned(grading.id)
    },
    onError: form.showRefusal,
  })
  const { candidates, studentsWithoutRank } = choice
  const [studentWithoutRank] = studentsWithoutRank
  const error = create.error
    ? failureMessage(
        create,
        `The ${schoolBeltTestName().singular} could not be planned. Please try again.`,
      )
    : studentWithoutRank && `Choose a rank for ${studentWithoutRank.name}.`
  const styles = belts?.styles ?? []
  return (
    <FormDialog
      title={`Plan a ${schoolBeltTestName().singular}`}
      size="large"
      onClose={onClose}
      onSubmit={form.send((gradingBody) => {
        const style = chosenStyleId && { style_id: chosenStyleId }
        if (!create.isPending && !studentWithoutRank)
          create.mutate({ body: { ...gradingBody, ...style, candidates } })
      })}
      isLocked={isLocked}
      isDirty={form.isDirty() || choice.isChanged}
      busy={create.isPending}
      error={error}
      submitLabel={
        candidates.length === 0 ? 'Plan' : `Plan with ${pluralize(candidates.length, 'candidate')}`
      }
      busyLabel="Planning..."
    >
      <Stack gap="lg">
        <GradingFields form={form} />
        {styles.length > 1 && (
          <NativeSelect
            label="Style"
            value={chosenStyleId ?? choice.readyQuery.data?.style_id ?? ''}
            data={styles.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => setChosenStyleId(event.currentTarget.value)}
          />
        )}
        <Candidates choice={choice} day={day} onText={onText} />
      </Stack>
    </FormDialog>
  )
}

type CandidatesProps = {
  choice: ReturnType<typeof useCandidateChoice>
  day: string
  onText: TextStudent
}

const Candidates = ({ choice, day, onText }: CandidatesProps) => (
  <Stack gap="sm">
    <Title order={2} size="h3">
      Candidates
    </Title>
    {day === '' ? (
      <p>Choose a date first.</p>
    ) : (
      <ChooseCandidates choice={choice} day={day} onText={onText} />
    )}
  </Stack>
)
