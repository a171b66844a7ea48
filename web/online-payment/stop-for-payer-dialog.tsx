import { TextInput } from '@mantine/core'
import { autopayStop, payerHomeApi } from '@tatami/contract/online-payment/payer-home'
import { progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

type Props = { studentId: string; payerName: string; onClose: () => void }

export function StopForPayerDialog({ studentId, payerName, onClose }: Props) {
  const form = useSchemaForm(autopayStop, { reason: '' })
  const stop = useEndpointMutation(payerHomeApi.stopForPayer, {
    refreshes: [payerHomeApi.ofStudent],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Stop autopay"
      size="small"
      onClose={onClose}
      onSubmit={form.send(
        (body) => stop.isPending || stop.mutate({ params: { id: studentId }, body }),
      )}
      isDirty={form.isDirty()}
      {...progressProps(stop, 'Autopay could not be stopped. Please try again.')}
      submitLabel="Stop"
      busyLabel="Stopping..."
    >
      <p>{payerName} gets an email with your reason. The card is no longer saved.</p>
      <TextInput label="Reason" autoComplete="off" {...form.getInputProps('reason')} />
    </FormDialog>
  )
}
