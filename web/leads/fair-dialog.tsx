import { Autocomplete, Button, Checkbox, TextInput } from '@mantine/core'
import { FAIR_WORDING_VERSION, FAIR_WORDINGS, fairLeadForm } from '@tatami/contract/leads/fair'
import { leadSourcesApi } from '@tatami/contract/leads/sources'
import { CONTACT_PURPOSES } from '@tatami/contract/trials/trials'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { fairLeads, storeFairLead } from './fair-leads.ts'
import { toLeadBody, toLeadValues } from './lead-form.ts'
import { VisitorFields } from './lead-dialogs.tsx'
import styles from './leads.module.css'
import kit from '../ui/kit.module.css'

const EMPTY_VALUES = { ...toLeadValues(), source: 'Event or fair', purposes: [] as string[] }
type FairValues = typeof EMPTY_VALUES

const toBody = ({ purposes, ...values }: FairValues) => ({
  ...toLeadBody(values),
  purposes: CONTACT_PURPOSES.filter((purpose) => purposes.includes(purpose)),
  wording_version: FAIR_WORDING_VERSION,
  taken_at: new Date(Date.now()).toISOString(),
})

const toFormField = (path: string): string => (path.startsWith('visitors') ? 'is_visitor' : path)

/** The form that visitors of a fair fill in on the instructor's device. It works without a network
 *  and stays open for the next visitor. */
export function FairDialog({ onClose }: { onClose: () => void }) {
  const form = useFairForm()
  const [lastName, setLastName] = useState<string | null>(null)
  const [takenKeys, setTakenKeys] = useState<readonly string[]>([])
  const [isLost, setLost] = useState(false)
  useEffect(() => void fairLeads.start(), [])
  const store = async (body: ReturnType<typeof toBody>) => {
    setLost(false)
    try {
      const key = await storeFairLead(body)
      setTakenKeys((keys) => [...keys, key])
    } catch {
      return setLost(true)
    }
    setLastName(body.name)
    // The event stays for the next visitor.
    form.setValues({ ...EMPTY_VALUES, source: body.source })
    form.resetDirty()
  }
  return (
    <FormDialog
      title="Would you like to try a class?"
      size="large"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => void store(body))}
      busy={false}
      error={isLost && 'This could not be stored on the device. Please try again.'}
      submitLabel="Send"
      busyLabel="Saving..."
    >
      <div className={styles.fair}>
        <div className={kit.stack}>
          {lastName !== null && <p role="status">Thank you, {lastName}! We will be in touch.</p>}
          <TakenLeads takenKeys={takenKeys} />
          <VisitorForm form={form} />
        </div>
        <div className={kit.stackTight}>
          <Event source={form.values.source} inputProps={form.getInputProps('source')} />
        </div>
      </div>
    </FormDialog>
  )
}

const useFairForm = () => useSchemaForm(fairLeadForm, EMPTY_VALUES, toBody, toFormField)

const VisitorForm = ({ form }: { form: ReturnType<typeof useFairForm> }) => (
  <>
    <TextInput label="Name" required autoComplete="off" {...form.getInputProps('name')} />
    <div className={styles.contact}>
      <TextInput label="Phone" type="tel" autoComplete="off" {...form.getInputProps('phone')} />
      <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />
    </div>
    <VisitorFields form={form} />
    <Checkbox.Group label="If you like" size="md" {...form.getInputProps('purposes')}>
      <div className={kit.stackTight}>
        {CONTACT_PURPOSES.map((purpose) => (
          <Checkbox
            key={purpose}
            size="md"
            value={purpose}
            label={FAIR_WORDINGS[FAIR_WORDING_VERSION][purpose]}
          />
        ))}
      </div>
    </Checkbox.Group>
  </>
)

type EventProps = { source: string; inputProps: object }

/** The name of the event, and the QR code of its link for visitors who use their own phone. */
function Event({ source, inputProps }: EventProps) {
  const { data: sources = [] } = useQuery(endpointQuery(leadSourcesApi.sources))
  const link = sources.find(({ name }) => name === source)
  return (
    <>
      <Autocomplete
        label="Event"
        size="md"
        data={sources.map(({ name }) => name)}
        {...inputProps}
      />
      {link && <img className={styles.qr} src={link.qr} alt={`QR code for ${link.name}`} />}
    </>
  )
}

/** How many forms were taken since the dialog opened, and what the server does not have yet. */
function TakenLeads({ takenKeys }: { takenKeys: readonly string[] }) {
  const pendingLeads = fairLeads.usePending()
  const refusedLeads = pendingLeads.filter(({ refusal }) => refusal !== undefined)
  const waitingCount = pendingLeads.length - refusedLeads.length
  const pendingKeys = new Set(pendingLeads.map(({ key }) => key))
  const sentCount = takenKeys.filter((key) => !pendingKeys.has(key)).length
  return (
    <>
      {sentCount > 0 && <p className={kit.note}>{pluralize(sentCount, 'form')} sent</p>}
      {waitingCount > 0 && (
        <p className={kit.note}>{pluralize(waitingCount, 'form')} waiting for the network</p>
      )}
      {refusedLeads.map((lead) => (
        <ErrorNotice key={lead.key} onRetry={() => void fairLeads.retry(lead)}>
          {lead.form.name} was not saved: {lead.refusal}
        </ErrorNotice>
      ))}
      {refusedLeads.length > 0 && (
        <Button variant="default" mr="auto" onClick={() => void fairLeads.remove(refusedLeads)}>
          Remove what was not saved
        </Button>
      )}
    </>
  )
}
