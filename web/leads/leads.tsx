import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type Lead, leadsApi } from '@tatami/contract/leads/leads'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { formatDate, today } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { useUrlChoice, useUrlQuery } from '../lib/url-query.ts'
import { Badge } from '../ui/badge.tsx'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { KeptMonths } from './kept-months.tsx'
import { LeadStages } from './lead-stages.tsx'
import { describeVisitors, STAGE_NAMES, STAGE_TONES } from './lead-words.ts'
import styles from './leads.module.css'
import { SourceTable } from './source-table.tsx'
import kit from '../ui/kit.module.css'

const AddLeadDialog = lazyComponent(() => import('./dialogs.ts'), 'AddLeadDialog')
const FairDialog = lazyComponent(() => import('./dialogs.ts'), 'FairDialog')
const LeadSheet = lazyComponent(() => import('./dialogs.ts'), 'LeadSheet')

const LISTS = ['open', 'joined', 'lost'] as const
const LIST_CHOICES = [
  { value: 'open', label: 'Open' },
  { value: 'joined', label: 'Joined' },
  { value: 'lost', label: 'Lost' },
] as const
const EMPTY_TEXTS = {
  open: 'Nobody is waiting for an answer. Add people who ask about your classes.',
  joined: 'No lead has joined yet',
  lost: 'No lost leads',
} as const

export const Leads = () => (useCan()('students.edit') ? <EditableLeads /> : <LeadStages />)

/** The URL names the lead who is open, so that other screens can link to them. */
function EditableLeads() {
  const [list, setList] = useUrlChoice('list', LISTS)
  const [query, changeQuery] = useUrlQuery()
  const leads = useRetryingQuery(endpointQuery(leadsApi.list, { query: { list } }))
  const [isAdding, setAdding] = useState(false)
  const [isAtFair, setAtFair] = useState(false)
  const openId = query.get('lead')
  // A conversation with an unknown number leads here.
  const newPhone = query.get('phone')
  return (
    <div className={kit.stack}>
      <PageHeader title="Leads" subtitle="People who are interested in your school">
        <Button
          leftSection={<IconPlus size={18} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setAdding(true)}
          {...AddLeadDialog.preloadOnHover}
        >
          Add lead
        </Button>
        <Button
          variant="default"
          aria-haspopup="dialog"
          onClick={() => setAtFair(true)}
          {...FairDialog.preloadOnHover}
        >
          Fair mode
        </Button>
      </PageHeader>
      <ChoiceFilter label="Show" choices={LIST_CHOICES} value={list} onChange={setList} />
      {leads.data?.length === 0 && <EmptyState>{EMPTY_TEXTS[list]}</EmptyState>}
      {leads.data && leads.data.length > 0 && (
        <ol className={`${kit.card} ${styles.list}`}>
          {leads.data.map((lead) => (
            <li key={lead.id}>
              <LeadRow lead={lead} onOpen={() => changeQuery({ lead: lead.id })} />
            </li>
          ))}
        </ol>
      )}
      <Loading query={leads} error="The leads could not be loaded.">
        <Skeletons count={6} height={64} label="Loading the leads..." />
      </Loading>
      <SourceTable />
      <KeptMonths />
      {isAtFair && <FairDialog onClose={() => setAtFair(false)} />}
      {openId && <LeadSheet id={openId} onClose={() => changeQuery({ lead: '' })} />}
      {(isAdding || newPhone) && (
        <AddLeadDialog
          phone={newPhone ?? ''}
          onClose={() => {
            setAdding(false)
            changeQuery({ phone: '' })
          }}
          onAdded={({ id }) => changeQuery({ lead: id, phone: '' })}
        />
      )}
    </div>
  )
}

type RowProps = { lead: Lead; onOpen: () => void }

const LeadRow = ({ lead, onOpen }: RowProps) => (
  <button
    type="button"
    className={`${kit.row} ${styles.row}`}
    aria-haspopup="dialog"
    onClick={onOpen}
    {...LeadSheet.preloadOnHover}
  >
    <span className={styles.person}>
      <span className={kit.name}>{lead.name}</span>
      <span className={styles.detail}>
        {joinNonEmpty([describeVisitors(lead), lead.interest], ' · ')}
        {lead.has_missed_twice && ' · Missed two trials'}
        {lead.is_forgotten && ' · Nothing for 14 days. Call, or close it.'}
      </span>
    </span>
    <NextStep lead={lead} />
    <Badge tone={STAGE_TONES[lead.stage]}>{STAGE_NAMES[lead.stage]}</Badge>
  </button>
)

function NextStep({ lead: { next_step, next_step_on, trial_on } }: { lead: Lead }) {
  if (!next_step_on)
    return (
      <span className={styles.step}>
        <span className={styles.detail}>{trial_on && `Trial on ${formatDate(trial_on)}`}</span>
      </span>
    )
  const isDue = next_step_on <= today()
  return (
    <span className={styles.step}>
      <span>{next_step}</span>
      <span className={isDue ? styles.due : styles.detail}>
        {next_step_on === today() ? 'Today' : formatDate(next_step_on)}
        {next_step_on < today() && ', overdue'}
      </span>
    </span>
  )
}
