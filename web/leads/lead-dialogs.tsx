import { Autocomplete, Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import {
  LEAD_SOURCES,
  type LeadDetails,
  leadForm,
  leadsApi,
  newLeadForm,
} from '@tatami/contract/leads/leads'
import { useState } from 'react'
import { ApiError, progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { type LeadValues, toLeadBody, toLeadValues, toNewLeadBody } from './lead-form.ts'
import { LEAD_QUERIES } from './lead-queries.ts'
import styles from './leads.module.css'
import kit from '../ui/kit.module.css'

export const ADD_LEAD_DRAFT = 'add-lead'
export const EDIT_LEAD_DRAFT = 'edit-lead'

type AddProps = {
  /** The number of somebody who texted. Empty if unknown. */
  phone: string
  onClose: () => void
  onAdded: (lead: LeadDetails) => void
}

export function AddLeadDialog({ phone, onClose, onAdded }: AddProps) {
  const startValues = { ...toLeadValues(), phone, source: phone && 'Text message' }
  const form = useSchemaForm(newLeadForm, startValues, toNewLeadBody, toFormField)
  useDraft(ADD_LEAD_DRAFT, form)
  const [addsAnyway, setAddsAnyway] = useState(false)
  const add = useEndpointMutation(leadsApi.add, {
    refreshes: LEAD_QUERIES,
    onSuccess: (lead) => {
      onClose()
      onAdded(lead)
    },
    onError: form.showRefusal,
  })
  const isKnown = add.error instanceof ApiError && add.error.status === 409
  return (
    <FormDialog
      title="Add lead"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send(
        (body) => add.isPending || add.mutate({ body: { ...body, adds_anyway: addsAnyway } }),
      )}
      {...progressProps(add, 'The lead could not be saved. Please try again.')}
      submitLabel="Add"
      busyLabel="Adding..."
    >
      <LeadFields form={form} />
      <Textarea label="Note" autosize minRows={2} {...form.getInputProps('note')} />
      {(isKnown || addsAnyway) && (
        <Checkbox
          size="md"
          label="No, this is somebody else"
          checked={addsAnyway}
          onChange={({ currentTarget }) => setAddsAnyway(currentTarget.checked)}
        />
      )}
    </FormDialog>
  )
}

type EditProps = { lead: LeadDetails; onClose: () => void }

export function EditLeadDialog({ lead, onClose }: EditProps) {
  const form = useSchemaForm(leadForm, toLeadValues(lead), toLeadBody, toFormField)
  useDraft(EDIT_LEAD_DRAFT, form, lead.id)
  const change = useEndpointMutation(leadsApi.change, {
    refreshes: LEAD_QUERIES,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={`Edit ${lead.name}`}
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send(
        (body) => change.isPending || change.mutate({ params: { id: lead.id }, body }),
      )}
      {...progressProps(change, 'The lead could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <LeadFields form={form} />
    </FormDialog>
  )
}

/** Errors of visitors appear at the question who would train. */
const toFormField = (path: string): string => (path.startsWith('visitors') ? 'is_visitor' : path)

const useLeadForm = () => useSchemaForm(leadForm, toLeadValues(), toLeadBody)
type LeadForm = ReturnType<typeof useLeadForm>
type VisitorForm = Pick<LeadForm, 'values' | 'getInputProps' | 'insertListItem'>

const LeadFields = ({ form }: { form: LeadForm }) => (
  <>
    <TextInput label="Name" required autoComplete="off" {...form.getInputProps('name')} />
    <div className={styles.contact}>
      <TextInput label="Phone" type="tel" autoComplete="off" {...form.getInputProps('phone')} />
      <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />
    </div>
    <VisitorFields form={form} />
    <TextInput
      label="Interest"
      placeholder="Kids judo, self-defense"
      {...form.getInputProps('interest')}
    />
    <Autocomplete
      label="How did they find you?"
      size="md"
      required
      data={[...LEAD_SOURCES]}
      {...form.getInputProps('source')}
    />
  </>
)

const EMPTY_CHILD: LeadValues['children'][number] = { name: '', age: '' }

/** Who would train: the lead, children, or both. */
export function VisitorFields({ form }: { form: VisitorForm }) {
  const { is_visitor, children } = form.values
  return (
    <fieldset className={`${kit.fieldset} ${kit.stackTight}`}>
      <legend className={kit.legend}>Who would train?</legend>
      <div className={`${styles.visitorFields} ${styles.ownFields}`}>
        <Checkbox
          size="md"
          label="This person"
          {...form.getInputProps('is_visitor', { type: 'checkbox' })}
        />
        {is_visitor && (
          <TextInput
            aria-label="Age"
            placeholder="Age"
            inputMode="numeric"
            {...form.getInputProps('age')}
          />
        )}
      </div>
      {children.map((_, index) => (
        <div key={index} className={styles.visitorFields}>
          <TextInput
            aria-label={`Name of child ${index + 1}`}
            placeholder="Child’s name"
            autoComplete="off"
            {...form.getInputProps(`children.${index}.name`)}
          />
          <TextInput
            aria-label={`Age of child ${index + 1}`}
            placeholder="Age"
            inputMode="numeric"
            {...form.getInputProps(`children.${index}.age`)}
          />
        </div>
      ))}
      <Button
        variant="default"
        mr="auto"
        onClick={() => form.insertListItem('children', EMPTY_CHILD)}
      >
        Add child
      </Button>
    </fieldset>
  )
}
