import { classDatesApi, type DatedClass, movedDate } from '@tatami/contract/calendar/class-dates'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { CLASS_DATE_QUERIES, describeDate, describeDay, dateKey, dateTarget } from './dates.ts'
import type { DateOutcome } from './outcome-bar.tsx'
import { fromTimeInput, toTimeInput } from '../classes/times.ts'
import { type DayAndTimes, DayAndTimeFields } from './day-and-time-fields.tsx'

type Props = { date: DatedClass; onClose: () => void; onDone: (outcome: DateOutcome) => void }

/** The request calls the day of the form `to_day`. */
const findFormField = (path: string) => (path === 'to_day' ? 'day' : path)

export function MoveDialog({ date, onClose, onDone }: Props) {
  const initialValues: DayAndTimes = {
    day: date.day,
    start_time: toTimeInput(date.start_time),
    end_time: toTimeInput(date.end_time),
  }
  const toRequestBody = ({ day, start_time, end_time }: DayAndTimes) => ({
    ...dateTarget(date),
    to_day: day,
    start_time: fromTimeInput(start_time),
    end_time: fromTimeInput(end_time),
  })
  const form = useSchemaForm(movedDate, initialValues, toRequestBody, findFormField)
  useDraft('move-class', form, dateKey(date))
  const move = useEndpointMutation(classDatesApi.move, {
    refreshes: CLASS_DATE_QUERIES,
    onSuccess: (newDate) =>
      onDone({
        message: `${describeDate(date)} moves to ${describeTime(newDate)}.`,
        undo: { action: 'move back', date: newDate },
        announcement: {
          title: 'Class moved',
          text: `${describeDate(date)}, ${date.time}, moves to ${describeTime(newDate)}.`,
          messageType: 'special_announcement',
          date,
        },
      }),
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={`Move ${date.class_name}`}
      onClose={onClose}
      onSubmit={form.send((body) => move.isPending || move.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(move, 'The class could not be moved. Please try again.')}
      submitLabel="Move"
      busyLabel="Moving..."
    >
      <DayAndTimeFields
        values={form.values}
        onChange={form.setValues}
        getInputProps={form.getInputProps}
      />
    </FormDialog>
  )
}

const describeTime = ({ day, time }: DatedClass) => `${describeDay(day)}, ${time}`
