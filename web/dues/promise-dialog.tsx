import { Button, Text, TextInput } from '@mantine/core'
import { newPromise, owingApi, type PaymentPromise } from '@tatami/contract/dues/owing'
import { errorMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { listPromiseDays } from './promise-days.ts'
import styles from './promise-dialog.module.css'
import { PROMISE_DRAFT } from './promise-note.tsx'

type Props = {
  studentIds: string[]
  name: string
  promise: PaymentPromise | null
  onClose: () => void
}

const REFRESHED_ENDPOINTS = [owingApi.list, owingApi.promises, owingApi.lateFees]

export function PromiseDialog({ studentIds, name, promise, onClose }: Props) {
  const isPast = promise !== null && promise.promised_on < today()
  const initialValues = {
    promised_on: promise && !isPast ? promise.promised_on : '',
    note: promise?.note ?? '',
  }
  const form = useSchemaForm(newPromise, initialValues, (values) => ({
    student_ids: studentIds,
    ...values,
  }))
  useDraft(PROMISE_DRAFT, form, studentIds.join())
  const callbacks = { refreshes: REFRESHED_ENDPOINTS, onSuccess: onClose }
  const save = useEndpointMutation(owingApi.promise, { ...callbacks, onError: form.showRefusal })
  const endPromise = useEndpointMutation(owingApi.endPromise, callbacks)
  const busy = save.isPending || endPromise.isPending
  const error = save.error ?? endPromise.error
  const saveDay = (promised_on: string) => {
    form.setFieldValue('promised_on', promised_on)
    save.mutate({ body: { student_ids: studentIds, promised_on, note: form.values.note } })
  }
  return (
    <FormDialog
      title={`When will ${name} pay?`}
      onClose={onClose}
      onSubmit={form.send((body) => busy || save.mutate({ body }))}
      isDirty={form.isDirty()}
      busy={busy}
      error={error && errorMessage(error, 'This could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
      extraAction={
        promise && (
          <Button
            variant="default"
            disabled={busy}
            onClick={() => endPromise.mutate({ params: { id: promise.id } })}
          >
            Clear
          </Button>
        )
      }
    >
      <DayButtons promisedOn={initialValues.promised_on} isDisabled={busy} onPick={saveDay} />
      <TextInput
        type="date"
        label="Another day"
        min={today()}
        {...form.getInputProps('promised_on')}
      />
      <TextInput label="Note" maxLength={200} {...form.getInputProps('note')} />
      <Text c="dimmed">
        Through that day, we send no automatic fee reminders and charge no late fee. Texts you send
        yourself still go out.
      </Text>
    </FormDialog>
  )
}

type DayProps = { promisedOn: string; isDisabled: boolean; onPick: (day: string) => void }

const DayButtons = ({ promisedOn, isDisabled, onPick }: DayProps) => (
  <div role="group" aria-label="Days" className={styles.days}>
    {listPromiseDays(today()).map(({ day, label }) => (
      <Button
        key={day}
        variant={day === promisedOn ? 'filled' : 'default'}
        disabled={isDisabled}
        onClick={() => onPick(day)}
      >
        {label}
      </Button>
    ))}
  </div>
)
