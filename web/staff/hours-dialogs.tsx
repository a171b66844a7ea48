import { Button } from '@mantine/core'
import {
  type HoursEntry,
  hoursApi,
  hoursForm,
  type Shift,
  shiftForm,
  type SuggestedClass,
} from '@tatami/contract/staff/hours'
import { failureMessage } from '../lib/api.ts'
import { formatWeekdayAndDay, today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { HoursFields } from './hours-fields.tsx'
import { toFormField, toHoursBody, toHoursValues } from './hours-form.ts'
import { HOURS_QUERIES } from './work-queries.ts'

const NOT_SAVED = 'The hours could not be saved. Please try again.'

type Props = { onClose: () => void }

export function AddHoursDialog({ onClose }: Props) {
  const form = useSchemaForm(hoursForm, toHoursValues({ day: today() }), toHoursBody, toFormField)
  const add = useEndpointMutation(hoursApi.add, {
    refreshes: HOURS_QUERIES,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Add hours"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => add.isPending || add.mutate({ body }))}
      busy={add.isPending}
      error={failureMessage(add, NOT_SAVED)}
      submitLabel="Add"
      busyLabel="Adding..."
    >
      <HoursFields form={form} mayEnterMinutes hasDayAndTask />
    </FormDialog>
  )
}

export function EditHoursDialog({ entry, onClose }: Props & { entry: HoursEntry }) {
  const params = { id: entry.id }
  const form = useSchemaForm(hoursForm, toHoursValues(entry), toHoursBody, toFormField)
  const options = { refreshes: HOURS_QUERIES, onSuccess: onClose }
  const save = useEndpointMutation(hoursApi.change, { ...options, onError: form.showRefusal })
  const remove = useEndpointMutation(hoursApi.remove, options)
  const busy = save.isPending || remove.isPending
  return (
    <FormDialog
      title="Change hours"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => busy || save.mutate({ params, body }))}
      busy={busy}
      error={failureMessage({ error: save.error ?? remove.error }, NOT_SAVED)}
      submitLabel="Save"
      busyLabel="Saving..."
      extraAction={
        <Button
          variant="subtle"
          color="red"
          mr="auto"
          disabled={busy}
          onClick={() => remove.mutate({ params })}
        >
          Delete
        </Button>
      }
    >
      <HoursFields form={form} mayEnterMinutes hasDayAndTask />
    </FormDialog>
  )
}

/** Asks when a shift ended, or for other times if it overlaps other hours. */
export function ShiftDialog({
  shift,
  description,
  onClose,
}: Props & { shift: Shift; description: string }) {
  const params = { id: shift.id }
  const form = useSchemaForm(shiftForm, toHoursValues(shift), toHoursBody, toFormField)
  const options = { refreshes: HOURS_QUERIES, onSuccess: onClose }
  const save = useEndpointMutation(hoursApi.settleShift, {
    ...options,
    onError: form.showRefusal,
  })
  const dropShift = useEndpointMutation(hoursApi.dropShift, options)
  const busy = save.isPending || dropShift.isPending
  const { day, from, until } = form.values
  return (
    <FormDialog
      title="When did the work end?"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send(
        ({ task }) => busy || save.mutate({ params, body: { day, from, until, task } }),
      )}
      busy={busy}
      error={failureMessage({ error: save.error ?? dropShift.error }, NOT_SAVED)}
      submitLabel="Save"
      busyLabel="Saving..."
      extraAction={
        <Button
          variant="subtle"
          color="red"
          mr="auto"
          disabled={busy}
          onClick={() => dropShift.mutate({ params })}
        >
          I didn’t work
        </Button>
      }
    >
      <p>{description}</p>
      <HoursFields form={form} mayEnterMinutes={false} hasDayAndTask />
    </FormDialog>
  )
}

/** Asks for the times of a class that has none in the timetable. */
export function ClassTimesDialog({
  suggestion: { class_id, class_name, day },
  onClose,
}: Props & { suggestion: SuggestedClass }) {
  const form = useSchemaForm(hoursForm, toHoursValues({ day, task: 'Class' }), toHoursBody)
  const add = useEndpointMutation(hoursApi.addClass, {
    refreshes: HOURS_QUERIES,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  const { from, until } = form.values
  return (
    <FormDialog
      title={class_name}
      size="small"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send(
        () => add.isPending || add.mutate({ body: { class_id, day, from, until } }),
      )}
      busy={add.isPending}
      error={failureMessage(add, NOT_SAVED)}
      submitLabel="Add"
      busyLabel="Adding..."
    >
      <p>{formatWeekdayAndDay(day)}. This class has no times in the timetable.</p>
      <HoursFields form={form} mayEnterMinutes={false} hasDayAndTask={false} />
    </FormDialog>
  )
}
