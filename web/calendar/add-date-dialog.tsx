import { NativeSelect } from '@mantine/core'
import { addedDate, classDatesApi } from '@tatami/contract/calendar/class-dates'
import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import { useQuery } from '@tanstack/react-query'
import { classOptions } from '../lib/class-options.ts'
import { progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { CLASS_DATE_QUERIES, describeDate } from './dates.ts'
import type { DateOutcome } from './outcome-bar.tsx'
import { fromTimeInput, toTimeInput } from '../classes/times.ts'
import { type DayAndTimes, DayAndTimeFields } from './day-and-time-fields.tsx'

type AddDateValues = DayAndTimes & { class_id: string }

const toRequestBody = ({ start_time, end_time, ...fields }: AddDateValues) => ({
  ...fields,
  start_time: fromTimeInput(start_time),
  end_time: fromTimeInput(end_time),
})
const toTimeInputs = (dojoClass: DojoClass | undefined) => ({
  start_time: toTimeInput(dojoClass?.class_start_time ?? null),
  end_time: toTimeInput(dojoClass?.class_end_time ?? null),
})

type Props = { classId: string; onClose: () => void; onDone: (outcome: DateOutcome) => void }

export function AddDateDialog({ classId, onClose, onDone }: Props) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const onlyClass = classes.length === 1 ? classes[0] : undefined
  const initialClassId = classId || (onlyClass?.id ?? '')
  const form = useSchemaForm(
    addedDate,
    {
      class_id: initialClassId,
      day: today(),
      ...toTimeInputs(classes.find(({ id }) => id === initialClassId)),
    },
    toRequestBody,
  )
  useDraft('add-date', form)
  const add = useEndpointMutation(classDatesApi.add, {
    refreshes: CLASS_DATE_QUERIES,
    onSuccess: (date) =>
      onDone({
        message: `Added ${describeDate(date)}.`,
        undo: { action: 'remove', date },
        announcement: {
          title: 'Extra class',
          text: `Extra class: ${describeDate(date)}, ${date.time}. Everyone is welcome.`,
          messageType: 'special_announcement',
          date,
        },
      }),
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Add a date"
      onClose={onClose}
      onSubmit={form.send((body) => add.isPending || add.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(add, 'The date could not be added. Please try again.')}
      submitLabel="Add"
      busyLabel="Adding..."
    >
      <NativeSelect
        {...form.getInputProps('class_id')}
        label="Class"
        required
        data={[{ value: '', label: 'Select a class' }, ...classOptions(classes)]}
        onChange={({ currentTarget: { value } }) =>
          form.setValues({
            class_id: value,
            ...toTimeInputs(classes.find(({ id }) => id === value)),
          })
        }
      />
      <DayAndTimeFields
        values={form.values}
        onChange={form.setValues}
        getInputProps={form.getInputProps}
      />
    </FormDialog>
  )
}
