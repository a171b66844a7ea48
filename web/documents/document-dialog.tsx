import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import {
  documentForm,
  DOCUMENT_KINDS,
  DUE_TIMES,
  PURPOSES,
  SIGNERS,
} from '@tatami/contract/documents/document-form'
import { documentsApi, type DocumentDetails } from '@tatami/contract/documents/documents'
import { failureMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { DocumentPreview } from './document-preview.tsx'
import {
  type DocumentValues,
  newText,
  toDocumentBody,
  toDocumentValues,
  type Validity,
} from './document-values.ts'
import { DUE_NAMES, KIND_NAMES, PURPOSE_NAMES, SIGNER_NAMES } from './document-words.ts'
import { TextFields } from './text-fields.tsx'
import kit from '../ui/kit.module.css'

type Props = {
  /** Null for a new document. */
  document: DocumentDetails | null
  onClose: () => void
}

const useDocumentForm = (document: DocumentDetails | null) =>
  useSchemaForm<DocumentValues, ReturnType<typeof toDocumentBody>>(
    documentForm,
    toDocumentValues(document),
    toDocumentBody,
  )
type Form = ReturnType<typeof useDocumentForm>

export function DocumentDialog({ document, onClose }: Props) {
  const form = useDocumentForm(document)
  const options = {
    refreshes: [documentsApi.list, documentsApi.show],
    onSuccess: onClose,
    onError: form.showRefusal,
  }
  const create = useEndpointMutation(documentsApi.create, options)
  const change = useEndpointMutation(documentsApi.change, options)
  const isPending = create.isPending || change.isPending
  const error = create.error ?? change.error
  return (
    <FormDialog
      title={document ? `Edit ${document.name}` : 'New document'}
      size="large"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => {
        if (isPending) return
        if (document) change.mutate({ params: { id: document.id }, body })
        else create.mutate({ body })
      })}
      busy={isPending}
      error={failureMessage({ error }, 'The document could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <NameFields form={form} isNew={document === null} />
      <TextFields
        texts={form.values.texts}
        errors={form.errors}
        onChange={(texts) => form.setFieldValue('texts', texts)}
      />
      <DocumentPreview name={form.values.name} text={form.values.texts[0]} />
      <RuleFields form={form} />
    </FormDialog>
  )
}

const toOptions = <Value extends string>(values: readonly Value[], names: Record<Value, string>) =>
  values.map((value) => ({ value, label: names[value] }))

/** A new document starts from an empty outline for its kind, as long as the text is unchanged. */
function NameFields({ form, isNew }: { form: Form; isNew: boolean }) {
  const changeKind = (kind: DocumentValues['kind']) => {
    const hasOutline = form.values.texts[0]?.body === newText(form.values.kind).body
    form.setFieldValue('kind', kind)
    if (isNew && hasOutline) form.setFieldValue('texts', [newText(kind)])
    if (isNew && form.values.name === KIND_NAMES[form.values.kind])
      form.setFieldValue('name', KIND_NAMES[kind])
  }
  return (
    <>
      <NativeSelect
        {...form.getInputProps('kind')}
        label="Kind"
        data={toOptions(DOCUMENT_KINDS, KIND_NAMES)}
        onChange={({ currentTarget }) => changeKind(currentTarget.value as DocumentValues['kind'])}
      />
      <TextInput {...form.getInputProps('name')} label="Name" required maxLength={100} />
      <p className={kit.note}>
        The outline has questions for your lawyer, not a text to publish. Tatami can’t tell you
        which words are valid where you are.
      </p>
    </>
  )
}

const VALIDITY_NAMES: Record<Validity, string> = {
  for_good: 'For good',
  months: 'Some months',
  day: 'Until a day of the year',
}

function RuleFields({ form }: { form: Form }) {
  const { due, validity } = form.values
  return (
    <>
      <NativeSelect
        {...form.getInputProps('signer')}
        label="Who signs"
        data={toOptions(SIGNERS, SIGNER_NAMES)}
      />
      <NumberInput
        {...form.getInputProps('min_age')}
        label="Nobody signs alone before the age of"
        min={0}
        max={99}
        required
      />
      <NativeSelect
        {...form.getInputProps('purpose')}
        label="Needed for"
        data={toOptions(PURPOSES, PURPOSE_NAMES)}
      />
      <NativeSelect
        {...form.getInputProps('due')}
        label="When"
        data={toOptions(DUE_TIMES, DUE_NAMES)}
      />
      {due === 'within_days' && (
        <NumberInput {...form.getInputProps('due_days')} label="Days" min={1} max={365} required />
      )}
      <NativeSelect
        {...form.getInputProps('validity')}
        label="Valid"
        data={toOptions(['for_good', 'months', 'day'], VALIDITY_NAMES)}
      />
      {validity === 'months' && (
        <NumberInput {...form.getInputProps('valid_months')} label="Months" min={1} max={120} />
      )}
      {validity === 'day' && (
        <TextInput
          {...form.getInputProps('valid_until_day')}
          label="Last day (month-day)"
          description="Such as 08-31 for August 31"
          maxLength={5}
        />
      )}
    </>
  )
}
