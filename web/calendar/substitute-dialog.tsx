import { Button, TextInput } from '@mantine/core'
import {
  classDatesApi,
  type DatedClass,
  substituteForm,
} from '@tatami/contract/calendar/class-dates'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { DATE_READS, dateName, keyOfDate, targetOf } from './dates.ts'
import type { Outcome } from './outcome-bar.tsx'

type Props = { date: DatedClass; onClose: () => void; onDone: (outcome: Outcome) => void }

export function SubstituteDialog({ date, onClose, onDone }: Props) {
  const previousSubstitute = date.substitute
  const form = useSchemaForm(
    substituteForm,
    { substitute: previousSubstitute ?? '' },
    (values) => ({
      ...targetOf(date),
      ...values,
    }),
  )
  useDraft('substitute', form, keyOfDate(date))
  const save = useEndpointMutation(classDatesApi.setSubstitute, {
    refreshes: DATE_READS,
    onSuccess: (savedDate) =>
      onDone({
        words: savedDate.substitute
          ? `${savedDate.substitute} teaches ${dateName(date)}.`
          : `No substitute for ${dateName(date)}.`,
        undo: { act: 'substitute', date: savedDate, substitute: previousSubstitute },
      }),
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Substitute"
      size="small"
      onClose={onClose}
      onSubmit={form.send((body) => save.isPending || save.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(save, 'This could not be saved. Please try again.')}
      {...(previousSubstitute && {
        extraAction: (
          <Button
            variant="subtle"
            color="red"
            mr="auto"
            disabled={save.isPending}
            onClick={() => save.mutate({ body: { ...targetOf(date), substitute: null } })}
          >
            Remove
          </Button>
        ),
      })}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <TextInput
        {...form.getInputProps('substitute')}
        label={`Who teaches ${dateName(date)}`}
        autoComplete="off"
        required={!previousSubstitute}
        data-autofocus
      />
    </FormDialog>
  )
}
