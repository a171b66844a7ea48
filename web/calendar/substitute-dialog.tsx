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
import { CLASS_DATE_QUERIES, describeDate, dateKey, dateTarget } from './dates.ts'
import type { DateOutcome } from './outcome-bar.tsx'

type Props = { date: DatedClass; onClose: () => void; onDone: (outcome: DateOutcome) => void }

export function SubstituteDialog({ date, onClose, onDone }: Props) {
  const previousSubstitute = date.substitute
  const form = useSchemaForm(
    substituteForm,
    { substitute: previousSubstitute ?? '' },
    (values) => ({
      ...dateTarget(date),
      ...values,
    }),
  )
  useDraft('substitute', form, dateKey(date))
  const save = useEndpointMutation(classDatesApi.setSubstitute, {
    refreshes: CLASS_DATE_QUERIES,
    onSuccess: (savedDate) =>
      onDone({
        message: savedDate.substitute
          ? `${savedDate.substitute} teaches ${describeDate(date)}.`
          : `No substitute for ${describeDate(date)}.`,
        undo: { action: 'substitute', date: savedDate, substitute: previousSubstitute },
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
            onClick={() => save.mutate({ body: { ...dateTarget(date), substitute: null } })}
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
        label={`Who teaches ${describeDate(date)}`}
        autoComplete="off"
        required={!previousSubstitute}
        data-autofocus
      />
    </FormDialog>
  )
}
