import { Anchor, Button, TextInput } from '@mantine/core'
import { IconMail, IconPhone } from '@tabler/icons-react'
import {
  type LeadDetails,
  leadsApi,
  NEXT_STEP_DAYS,
  nextStepForm,
} from '@tatami/contract/leads/leads'
import { CONTACT_WAYS, isOpenStage } from '@tatami/contract/leads/stages'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { formatDateTime, formatDate, formatInstantDate, today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { phoneConversationPath, studentPath } from '../lib/paths.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { formatPhone, joinNonEmpty } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LoadingSheet } from '../ui/loading.tsx'
import { MoreActions } from '../ui/more-actions.tsx'
import { ErrorNotice, Warning } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { WithRight } from '../ui/with-right.tsx'
import { EditLeadDialog } from './lead-dialogs.tsx'
import { LEAD_QUERIES } from './lead-queries.ts'
import { describeEvent, nameOfSource, STAGE_NAMES, STAGE_TONES } from './lead-words.ts'
import styles from './leads.module.css'
import { NoteDialog } from './note-dialog.tsx'
import { SpokenConsentDialog } from './spoken-consent-dialog.tsx'
import { TextPermission } from './text-permission.tsx'
import { toStudentForm } from './to-student-form.ts'
import kit from '../ui/kit.module.css'

const EnrollDialog = lazyComponent(() => import('../students/enroll-dialog.tsx'), 'EnrollDialog')

const NOT_SAVED = 'This could not be saved. Please try again.'
const CONTACT_LABELS = { call: 'Called', text: 'Texted', email: 'Emailed', visit: 'Visited' }

type OpenDialog =
  | { kind: 'edit' | 'note' | 'lost' | 'spoken consent' }
  | { kind: 'enroll'; visitorName: string }
type Props = { id: string; onClose: () => void }

export function LeadSheet({ id, onClose }: Props) {
  const lead = useRetryingQuery(endpointQuery(leadsApi.show, { params: { id } }))
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const closeDialog = () => setDialog(null)
  const join = useEndpointMutation(leadsApi.join, { refreshes: LEAD_QUERIES })
  if (!lead.data)
    return (
      <LoadingSheet
        title="Lead"
        query={lead}
        error="The lead could not be loaded."
        label="Loading the lead..."
        onClose={onClose}
      />
    )
  if (dialog?.kind === 'edit') return <EditLeadDialog lead={lead.data} onClose={closeDialog} />
  if (dialog?.kind === 'note' || dialog?.kind === 'lost')
    return <NoteDialog leadId={id} kind={dialog.kind} onClose={closeDialog} />
  if (dialog?.kind === 'spoken consent')
    return <SpokenConsentDialog leadId={id} onClose={closeDialog} />
  if (dialog?.kind === 'enroll') {
    const { visitorName } = dialog
    return (
      <EnrollDialog
        startValues={toStudentForm(lead.data, visitorName)}
        onEnrolled={(student) =>
          join.mutate({
            params: { id },
            body: { visitor_name: visitorName, student_id: student.id },
          })
        }
        onClose={closeDialog}
      />
    )
  }
  return (
    <Sheet opened onClose={onClose} title={lead.data.name}>
      <div className={kit.stack}>
        <ErrorNotice>{progressProps(join, NOT_SAVED).error}</ErrorNotice>
        <LeadHead lead={lead.data} />
        <TextPermission lead={lead.data} onRecord={() => setDialog({ kind: 'spoken consent' })} />
        <SimilarLeads lead={lead.data} />
        {lead.data.has_missed_twice && <MissedTwice id={id} />}
        <Visitors
          lead={lead.data}
          onEnroll={(visitorName) => setDialog({ kind: 'enroll', visitorName })}
        />
        {isOpenStage(lead.data.stage) && <NextStepForm key={lead.data.id} lead={lead.data} />}
        <LeadActions lead={lead.data} onOpen={setDialog} onRemoved={onClose} />
        <Story lead={lead.data} />
      </div>
    </Sheet>
  )
}

const LeadHead = ({ lead }: { lead: LeadDetails }) => (
  <div className={kit.stackTight}>
    <div className={kit.wrap}>
      <Badge tone={STAGE_TONES[lead.stage]}>{STAGE_NAMES[lead.stage]}</Badge>
      <span className={kit.note}>
        {joinNonEmpty(
          [
            `since ${formatInstantDate(lead.stage_since)}`,
            nameOfSource(lead.source),
            lead.last_source && `last ${nameOfSource(lead.last_source)}`,
            lead.trial_on && `Trial on ${formatDate(lead.trial_on)}`,
          ],
          ' · ',
        )}
      </span>
    </div>
    {lead.interest && <p>{lead.interest}</p>}
    <div className={kit.wrap}>
      {lead.phone && (
        <Button component="a" href={`tel:${lead.phone}`} leftSection={<IconPhone size={18} />}>
          {formatPhone(lead.phone)}
        </Button>
      )}
      {lead.email && (
        <Button
          component="a"
          variant="default"
          href={`mailto:${lead.email}`}
          leftSection={<IconMail size={18} />}
        >
          {lead.email}
        </Button>
      )}
    </div>
    {lead.phone && (
      <WithRight right="texts.read">
        <LayoutLink to={phoneConversationPath(lead.phone)}>Texts with {lead.name}</LayoutLink>
      </WithRight>
    )}
    {lead.referred_by && (
      <LayoutLink to={studentPath(lead.referred_by.id)}>
        Friend of {lead.referred_by.name}
      </LayoutLink>
    )}
    {lead.likely_person && <p className={kit.note}>May be {lead.likely_person}</p>}
  </div>
)

function SimilarLeads({ lead: { id, similar_leads } }: { lead: LeadDetails }) {
  const merge = useEndpointMutation(leadsApi.merge, { refreshes: LEAD_QUERIES })
  const { busy, error } = progressProps(merge, NOT_SAVED)
  return similar_leads.map((similar) => (
    <Warning key={similar.id}>
      <p>
        Is this {similar.name}, a lead since {formatInstantDate(similar.created_at)}?
      </p>
      <BusyButton
        variant="default"
        busy={busy}
        busyLabel="Merging..."
        onClick={() => merge.mutate({ params: { id: similar.id }, body: { into_id: id } })}
      >
        Yes, merge them
      </BusyButton>
      <ErrorNotice>{error}</ErrorNotice>
    </Warning>
  ))
}

function MissedTwice({ id }: { id: string }) {
  const addEvent = useEndpointMutation(leadsApi.addEvent, { refreshes: LEAD_QUERIES })
  const { busy, error } = progressProps(addEvent, NOT_SAVED)
  return (
    <Warning>
      <p>Missed two trials. Are they still deciding?</p>
      <BusyButton
        variant="default"
        busy={busy}
        busyLabel="Saving..."
        onClick={() => addEvent.mutate({ params: { id }, body: { kind: 'deciding', note: '' } })}
      >
        Yes, still deciding
      </BusyButton>
      <ErrorNotice>{error}</ErrorNotice>
    </Warning>
  )
}

type VisitorsProps = { lead: LeadDetails; onEnroll: (visitorName: string) => void }

const Visitors = ({ lead: { visitors }, onEnroll }: VisitorsProps) => (
  <ul className={kit.hairlines} aria-label="Who would train">
    {visitors.map(({ name, age, student_id }) => (
      <li key={name} className={`${kit.spread} ${styles.visitor}`}>
        <span>{joinNonEmpty([name, age === null ? null : `${age} years old`], ', ')}</span>
        {student_id ? (
          <Anchor component={LayoutLink} to={studentPath(student_id)}>
            Student
          </Anchor>
        ) : (
          <Button aria-haspopup="dialog" onClick={() => onEnroll(name)}>
            Enroll
          </Button>
        )}
      </li>
    ))}
  </ul>
)

function NextStepForm({ lead }: { lead: LeadDetails }) {
  const form = useSchemaForm(nextStepForm, {
    next_step: lead.next_step ?? '',
    next_step_on: lead.next_step_on ?? '',
  })
  const save = useEndpointMutation(leadsApi.setNextStep, {
    refreshes: LEAD_QUERIES,
    onSuccess: () => form.resetDirty(),
    onError: form.showRefusal,
  })
  const params = { id: lead.id }
  const { busy, error } = progressProps(save, NOT_SAVED)
  const finish = () => {
    form.setValues({ next_step: '', next_step_on: '' })
    save.mutate({ params, body: { next_step: '', next_step_on: '' } })
  }
  return (
    <form
      noValidate
      className={kit.stackTight}
      onSubmit={form.send((body) => save.isPending || save.mutate({ params, body }))}
    >
      <div className={styles.dates}>
        <TextInput label="Next step" placeholder="Call" {...form.getInputProps('next_step')} />
        <TextInput
          type="date"
          label="Date"
          min={today()}
          max={addDays(today(), NEXT_STEP_DAYS)}
          {...form.getInputProps('next_step_on')}
        />
      </div>
      <ErrorNotice>{error}</ErrorNotice>
      <div className={kit.wrap}>
        {form.isDirty() && (
          <BusyButton type="submit" busy={busy} busyLabel="Saving...">
            Save
          </BusyButton>
        )}
        {lead.next_step && !form.isDirty() && (
          <BusyButton variant="default" busy={busy} busyLabel="Saving..." onClick={finish}>
            Done
          </BusyButton>
        )}
      </div>
    </form>
  )
}

type ActionsProps = {
  lead: LeadDetails
  onOpen: (dialog: OpenDialog) => void
  onRemoved: () => void
}

function LeadActions({ lead: { id, stage, merged_leads }, onOpen, onRemoved }: ActionsProps) {
  const params = { id }
  const addEvent = useEndpointMutation(leadsApi.addEvent, { refreshes: LEAD_QUERIES })
  const unmerge = useEndpointMutation(leadsApi.unmerge, { refreshes: LEAD_QUERIES })
  const remove = useEndpointMutation(leadsApi.remove, {
    refreshes: LEAD_QUERIES,
    onSuccess: onRemoved,
  })
  const failedRequest = [addEvent, unmerge, remove].find(({ error }) => error)
  const record = (kind: 'call' | 'text' | 'email' | 'visit' | 'deciding' | 'reopened') =>
    addEvent.isPending || addEvent.mutate({ params, body: { kind, note: '' } })
  return (
    <div className={kit.stackTight}>
      <div className={kit.wrap} role="group" aria-label="What happened">
        {CONTACT_WAYS.map((way) => (
          <Button key={way} variant="default" onClick={() => record(way)}>
            {CONTACT_LABELS[way]}
          </Button>
        ))}
        <Button variant="default" aria-haspopup="dialog" onClick={() => onOpen({ kind: 'note' })}>
          Note
        </Button>
        <MoreActions>
          <Button variant="default" onClick={() => onOpen({ kind: 'edit' })}>
            Edit
          </Button>
          {isOpenStage(stage) ? (
            <>
              <Button variant="default" onClick={() => record('deciding')}>
                Is deciding
              </Button>
              <Button variant="default" onClick={() => onOpen({ kind: 'lost' })}>
                Lost
              </Button>
            </>
          ) : (
            <Button variant="default" onClick={() => record('reopened')}>
              Open again
            </Button>
          )}
          {merged_leads.map((mergedLead) => (
            <Button
              key={mergedLead.id}
              variant="default"
              onClick={() => unmerge.mutate({ params: { id: mergedLead.id } })}
            >
              Undo the merge with {mergedLead.name}
            </Button>
          ))}
          <Button variant="outline" color="red" onClick={() => remove.mutate({ params })}>
            Delete this lead with its story and trials
          </Button>
        </MoreActions>
      </div>
      {failedRequest && <ErrorNotice>{progressProps(failedRequest, NOT_SAVED).error}</ErrorNotice>}
    </div>
  )
}

const Story = ({ lead: { events } }: { lead: LeadDetails }) => (
  <section aria-label="Story" className={kit.stackTight}>
    <h3 className={kit.titleSmall}>Story</h3>
    <ol className={`${kit.hairlines} ${styles.story}`}>
      {events.map((event) => (
        <li key={`${event.kind} ${event.at}`}>
          <span className={kit.strong}>{describeEvent(event)}</span>
          <span className={styles.detail}>
            {joinNonEmpty([formatDateTime(event.at), event.by_name], ' · ')}
          </span>
          {event.note && <p className={styles.note}>{event.note}</p>}
        </li>
      ))}
    </ol>
  </section>
)
