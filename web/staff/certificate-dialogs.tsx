import { Button, NativeSelect, TextInput } from '@mantine/core'
import {
  certificateForm,
  type CertificateKind,
  newCertificateForm,
  type StaffCertificate,
  staffCertificatesApi,
  usualLastDay,
} from '@tatami/contract/staff/staff-certificates'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { progressProps } from '../lib/api.ts'
import { formatDate, today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { describeKind } from './describe-certificate.ts'
import { CERTIFICATE_QUERIES } from './use-certificate-actions.ts'

const SAVE_FAILED = 'The certificate could not be saved. Please try again.'
const NOTE_HINT = 'Please don’t enter certificate numbers or reports'

type AddProps = {
  staffId: string
  kinds: readonly CertificateKind[]
  onAdded: (certificate: StaffCertificate) => void
  onClose: () => void
}

export function AddCertificateDialog({ staffId, kinds, onAdded, onClose }: AddProps) {
  const initialValues = {
    staff_id: staffId,
    kind_id: kinds[0]?.id ?? '',
    got_on: today(),
    expires_on: '',
    note: '',
  }
  const form = useSchemaForm(newCertificateForm, initialValues)
  const { kind_id: kindId, got_on: gotOn } = form.values
  const kind = kinds.find(({ id }) => id === kindId)
  const add = useEndpointMutation(staffCertificatesApi.add, {
    refreshes: CERTIFICATE_QUERIES,
    onSuccess: ({ certificate }) => {
      onAdded(certificate)
      onClose()
    },
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Add a certificate"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => add.isPending || add.mutate({ body }))}
      {...progressProps(add, SAVE_FAILED)}
      submitLabel="Add"
      busyLabel="Adding..."
    >
      <NativeSelect
        {...form.getInputProps('kind_id')}
        label="Kind"
        description={kind && describeKind(kind)}
        data={kinds.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextInput {...form.getInputProps('got_on')} type="date" label="Received on" required />
      <TextInput
        {...form.getInputProps('expires_on')}
        type="date"
        label="Expires on"
        description={
          kind &&
          isCalendarDate(gotOn) &&
          `Leave blank for ${formatDate(usualLastDay(kind, gotOn))}`
        }
      />
      <TextInput {...form.getInputProps('note')} label="Note" description={NOTE_HINT} />
    </FormDialog>
  )
}

type EditProps = { certificate: StaffCertificate; onRemove: () => void; onClose: () => void }

export function EditCertificateDialog({ certificate, onRemove, onClose }: EditProps) {
  const { id, kind, got_on, expires_on, recheck_on, note } = certificate
  const form = useSchemaForm(certificateForm, {
    got_on,
    expires_on,
    recheck_on: recheck_on ?? '',
    note: note ?? '',
  })
  const change = useEndpointMutation(staffCertificatesApi.change, {
    refreshes: CERTIFICATE_QUERIES,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  const remove = () => {
    onRemove()
    onClose()
  }
  return (
    <FormDialog
      title={kind.name}
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => change.isPending || change.mutate({ params: { id }, body }))}
      {...progressProps(change, SAVE_FAILED)}
      submitLabel="Save"
      busyLabel="Saving..."
      extraAction={
        <Button variant="subtle" color="red" mr="auto" disabled={change.isPending} onClick={remove}>
          Remove
        </Button>
      }
    >
      <TextInput {...form.getInputProps('got_on')} type="date" label="Received on" required />
      <TextInput {...form.getInputProps('expires_on')} type="date" label="Expires on" required />
      {kind.recheck_months !== null && (
        <TextInput
          {...form.getInputProps('recheck_on')}
          type="date"
          label="Recheck by"
          description="Leave blank for no recheck"
        />
      )}
      <TextInput {...form.getInputProps('note')} label="Note" description={NOTE_HINT} />
    </FormDialog>
  )
}
