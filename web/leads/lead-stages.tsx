import { leadsApi } from '@tatami/contract/leads/leads'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { STAGE_NAMES, STAGE_TONES } from './lead-words.ts'
import styles from './leads.module.css'
import kit from '../ui/kit.module.css'

/** For staff who may not see contacts: only first names, and how far each lead has come. */
export function LeadStages() {
  const leads = useRetryingQuery(endpointQuery(leadsApi.stages))
  return (
    <div className={kit.stack}>
      <PageHeader title="Leads" subtitle="People who are interested in your school" />
      {leads.data?.length === 0 && <EmptyState>Nobody is waiting for an answer.</EmptyState>}
      {leads.data && leads.data.length > 0 && (
        <ol className={`${kit.card} ${styles.list}`}>
          {leads.data.map(({ first_name, stage }, index) => (
            <li key={index} className={`${kit.spread} ${styles.stageRow}`}>
              <span className={kit.name}>{first_name}</span>
              <Badge tone={STAGE_TONES[stage]}>{STAGE_NAMES[stage]}</Badge>
            </li>
          ))}
        </ol>
      )}
      <Loading query={leads} error="The leads could not be loaded.">
        <Skeletons count={6} height={56} label="Loading the leads..." />
      </Loading>
    </div>
  )
}
