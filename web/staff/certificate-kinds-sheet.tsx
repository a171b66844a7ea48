import { Button, NumberInput, TextInput } from '@mantine/core'
import {
  type CertificateKind,
  certificateKindForm,
  staffCertificatesApi,
} from '@tatami/contract/staff/staff-certificates'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage, progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { Loading } from '../ui/loading.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { describeKind } from './describe-certificate.ts'
import kit from '../ui/kit.module.css'

const REFRESH_OPTIONS = { refreshes: [staffCertificatesApi.list, staffCertificatesApi.listOwn] }

/** The kinds of certificates that the school keeps, and how long each lasts. */
export function CertificateKindsSheet({ onClose }: { onClose: () => void }) {
  const query = useRetryingQuery(endpointQuery(staffCertificatesApi.list))
  const [editedKind, setEditedKind] = useState<CertificateKind | 'new' | null>(null)
  return (
    <>
      <Sheet opened onClose={onClose} title="Kinds of certificates">
        <div className={kit.stack}>
          <Loading query={query} error="The kinds could not be loaded.">
            <Skeletons count={4} height={64} label="Loading..." />
          </Loading>
          {query.data && (
            <FramedList aria-label="Kinds of certificates">
              {query.data.kinds.map((kind) => (
                <FramedRow key={kind.id} name={kind.name} details={[describeKind(kind)]}>
                  <Button variant="default" onClick={() => setEditedKind(kind)}>
                    Edit<VisuallyHidden>{` ${kind.name}`}</VisuallyHidden>
                  </Button>
                </FramedRow>
              ))}
            </FramedList>
          )}
          <div>
            <Button
              leftSection={<IconPlus size={20} aria-hidden />}
              onClick={() => setEditedKind('new')}
            >
              Add a kind
            </Button>
          </div>
        </div>
      </Sheet>
      {editedKind && (
        <KindDialog
          kind={editedKind === 'new' ? null : editedKind}
          onClose={() => setEditedKind(null)}
        />
      )}
    </>
  )
}

const NEW_KIND = { name: '', months: 12, recheck_months: null }

type KindValues = { name: string; months: number | string; recheck_months: number | string }

/** The value of an empty number field is ''. */
const toRequestBody = ({ name, months, recheck_months }: KindValues) => ({
  name,
  months: Number(months),
  recheck_months: recheck_months === '' ? null : Number(recheck_months),
})

type KindProps = { kind: CertificateKind | null; onClose: () => void }

function KindDialog({ kind, onClose }: KindProps) {
  const { name, months, recheck_months } = kind ?? NEW_KIND
  const initialValues: KindValues = { name, months, recheck_months: recheck_months ?? '' }
  const form = useSchemaForm(certificateKindForm, initialValues, toRequestBody)
  const options = { ...REFRESH_OPTIONS, onSuccess: onClose, onError: form.showRefusal }
  const add = useEndpointMutation(staffCertificatesApi.addKind, options)
  const change = useEndpointMutation(staffCertificatesApi.changeKind, options)
  const save = kind ? change : add
  return (
    <FormDialog
      title={kind ? kind.name : 'Add a kind'}
      size="small"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => {
        if (save.isPending) return
        if (kind) change.mutate({ params: { id: kind.id }, body })
        else add.mutate({ body })
      })}
      {...progressProps(save, 'The kind could not be saved. Please try again.')}
      submitLabel={kind ? 'Save' : 'Add'}
      busyLabel="Saving..."
      extraAction={kind && <RemoveKindButton id={kind.id} onRemoved={onClose} />}
    >
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        required
        maxLength={60}
        data-autofocus
      />
      <NumberInput
        {...form.getInputProps('months')}
        label="Valid for (months)"
        description="Existing certificates don’t change"
        min={1}
        max={120}
        required
      />
      <NumberInput
        {...form.getInputProps('recheck_months')}
        label="Recheck after (months)"
        description="Leave blank for no recheck"
        min={1}
        max={120}
      />
    </FormDialog>
  )
}

function RemoveKindButton({ id, onRemoved }: { id: string; onRemoved: () => void }) {
  const remove = useEndpointMutation(staffCertificatesApi.removeKind, {
    ...REFRESH_OPTIONS,
    onSuccess: onRemoved,
    onError: (error) =>
      alertFailure(errorMessage(error, 'The kind could not be removed. Please try again.')),
  })
  return (
    <Button
      variant="subtle"
      color="red"
      mr="auto"
      disabled={remove.isPending}
      onClick={() => remove.mutate({ params: { id } })}
    >
      Remove
    </Button>
  )
}
