import { classDatesApi, type DatedClass, movedDate } from '@tatami/contract/calendar/class-dates'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { DATE_READS, dateName, dayWords, keyOfDate, targetOf } from './dates.ts'
import type { Outcome } from './outcome-bar.tsx'
import { fromField, toField } from '../classes/times.ts'
import { type DayAndTimes, WhenFields } from './when-inputs.tsx'

type Props = { date: DatedClass; onClose: () => void; onDone: (outcome: Outcome) => void }

const fieldOf = (path: string) => (path === 'to_day' ? 'day' : path)

export function MoveDialog({ date, onClose, onDone }: Props) {
  const initial: DayAndTimes = {
    day: date.day,
    start_time: toField(date.start_time),
    end_time: toField(date.end_time),
  }
  const toWire = ({ day, start_time, end_time }: DayAndTimes) => ({
    ...targetOf(date),
    to_day: day,
    start_time: fromField(start_time),
    end_time: fromField(end_time),
  })
  const form = useSchemaForm(movedDate, initial, toWire, fieldOf)
  useDraft('move-class', form, keyOfDate(date))
  const move = useEndpointMutation(classDatesApi.move, {
    refreshes: DATE_READS,
    onSuccess: (newDate) =>
      onDone({
        words: `${dateName(date)} moves to ${whenWords(newDate)}.`,
        undo: { act: 'move back', date: newDate },
        tell: {
          title: 'Class is moved',
          words: `${dateName(date)}, ${date.time}, moves to ${whenWords(newDate)}.`,
          kind: 'special_announcement',
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
      <WhenFields values={form.values} onChange={form.setValues} propsOf={form.getInputProps} />
    </FormDialog>
  )
}

const whenWords = ({ day, time }: DatedClass) => `${dayWords(day)}, ${time}`
