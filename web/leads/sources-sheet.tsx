import { Button, NumberInput, TextInput } from '@mantine/core'
import { type LeadSource, leadSourceForm, leadSourcesApi } from '@tatami/contract/leads/sources'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Loading } from '../ui/loading.tsx'
import rows from '../ui/rows.module.css'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './leads.module.css'
import kit from '../ui/kit.module.css'

/** The links that say where visitors come from, each with a QR code for a flyer. */
export function SourcesSheet({ onClose }: { onClose: () => void }) {
  const sources = useRetryingQuery(endpointQuery(leadSourcesApi.sources))
  const [editedSource, setEditedSource] = useState<LeadSource | 'new' | null>(null)
  if (editedSource)
    return (
      <SourceDialog
        source={editedSource === 'new' ? null : editedSource}
        onClose={() => setEditedSource(null)}
      />
    )
  return (
    <Sheet opened onClose={onClose} title="Links and QR codes">
      <div className={kit.stack}>
        <p>
          Put a link of its own on each flyer, post or ad. Everybody who books a trial with it is
          counted for that source.
        </p>
        <ul className={kit.hairlines} aria-label="Links">
          {sources.data?.map((source) => (
            <SourceItem key={source.id} source={source} onEdit={() => setEditedSource(source)} />
          ))}
        </ul>
        <Loading query={sources} error="The links could not be loaded.">
          <Skeletons count={2} height={64} label="Loading the links..." />
        </Loading>
        <Button mr="auto" onClick={() => setEditedSource('new')}>
          New link
        </Button>
      </div>
    </Sheet>
  )
}

const SourceItem = ({ source, onEdit }: { source: LeadSource; onEdit: () => void }) => (
  <li className={`${kit.stackTight} ${styles.visitor}`}>
    <div className={rows.row}>
      <span className={`${kit.strong} ${rows.text}`}>{source.name}</span>
      <Button variant="default" onClick={onEdit}>
        Edit<VisuallyHidden>{` ${source.name}`}</VisuallyHidden>
      </Button>
    </div>
    <CopyField label={`Link for ${source.name}`} value={source.link} />
    <Disclosure summary="QR code">
      <img className={styles.qr} src={source.qr} alt={`QR code for ${source.name}`} />
    </Disclosure>
  </li>
)

type FormValues = { name: string; monthly_cost: number | '' }

const toBody = ({ name, monthly_cost }: FormValues) => ({
  name,
  monthly_cost: monthly_cost === '' ? null : monthly_cost,
})

type DialogProps = { source: LeadSource | null; onClose: () => void }

function SourceDialog({ source, onClose }: DialogProps) {
  const startValues: FormValues = {
    name: source?.name ?? '',
    monthly_cost: source?.monthly_cost ?? '',
  }
  const form = useSchemaForm(leadSourceForm, startValues, toBody)
  const options = {
    refreshes: [leadSourcesApi.sources, leadSourcesApi.figures],
    onSuccess: onClose,
    onError: form.showRefusal,
  }
  const add = useEndpointMutation(leadSourcesApi.addSource, options)
  const change = useEndpointMutation(leadSourcesApi.changeSource, options)
  const submit = form.send((body) => {
    if (add.isPending || change.isPending) return
    if (source) change.mutate({ params: { id: source.id }, body })
    else add.mutate({ body })
  })
  return (
    <FormDialog
      title={source ? `Edit ${source.name}` : 'New link'}
      size="small"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={submit}
      {...progressProps(source ? change : add, 'The link could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <TextInput label="Name" placeholder="Flyer" required {...form.getInputProps('name')} />
      <NumberInput
        label="Cost per month"
        prefix="$"
        min={0}
        decimalScale={2}
        hideControls
        {...form.getInputProps('monthly_cost')}
      />
    </FormDialog>
  )
}
