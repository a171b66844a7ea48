import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type Plan, plansApi } from '@tatami/contract/plans/plans'
import { useState } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { findDialogWithDraft, type PlansDialog } from './open-dialog.ts'
import { PlanCard } from './plan-card.tsx'
import { type PlanAct, PlanUndoBar } from './plan-undo-bar.tsx'
import styles from './plans.module.css'
import { TemplateChoices } from './template-choices.tsx'
import kit from '../ui/kit.module.css'

const NewPlanSheet = lazyComponent(() => import('./new-plan-sheet.tsx'), 'NewPlanSheet')
const PlanDialog = lazyComponent(() => import('./plan-dialog.tsx'), 'PlanDialog')
const PriceDialog = lazyComponent(() => import('./price-dialog.tsx'), 'PriceDialog')
const RulesDialog = lazyComponent(() => import('./rules-dialog.tsx'), 'RulesDialog')

export function Plans() {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(endpointQuery(plansApi.list))
  const [openDialog, setOpenDialog] = useState<PlansDialog | null>(findDialogWithDraft)
  const [lastAct, setLastAct] = useState<PlanAct | null>(null)
  const isEmpty = data?.length === 0
  return (
    <div className={kit.stack}>
      <Header hasPlans={data !== undefined && !isEmpty} onOpen={setOpenDialog} />
      {isPending && <Skeletons count={3} height={148} label="Loading..." />}
      {isUnavailable && <RetryNotice onRetry={retry}>The plans could not be loaded.</RetryNotice>}
      {isEmpty && <FirstPlan onOpen={setOpenDialog} />}
      {data && !isEmpty && <PlanLists plans={data} onOpen={setOpenDialog} onDone={setLastAct} />}
      {data && openDialog && (
        <OpenPlansDialog
          plans={data}
          dialog={openDialog}
          onOpen={setOpenDialog}
          onDone={setLastAct}
        />
      )}
      {lastAct && (
        <PlanUndoBar key={lastAct.plan.id} act={lastAct} onDismiss={() => setLastAct(null)} />
      )}
    </div>
  )
}

type OpenProps = { onOpen: (dialog: PlansDialog | null) => void }

function Header({ hasPlans, onOpen }: OpenProps & { hasPlans: boolean }) {
  const size = useLayout() === 'desktop' ? 'md' : 'sm'
  return (
    <PageHeader title="Plans" subtitle="What your school sells, and for how much">
      {hasPlans && (
        <>
          <Button
            variant="default"
            size={size}
            onClick={() => onOpen({ type: 'rules' })}
            {...RulesDialog.preloadOnHover}
          >
            Rules
          </Button>
          <Button
            size={size}
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => onOpen({ type: 'new' })}
            {...NewPlanSheet.preloadOnHover}
          >
            New plan
          </Button>
        </>
      )}
    </PageHeader>
  )
}

const FirstPlan = ({ onOpen }: OpenProps) => (
  <div className={kit.stack}>
    <EmptyState>
      No plans yet. Your students pay the monthly fee on their page. Plans are for more: twice a
      week, a beginners’ offer, ten classes.
    </EmptyState>
    <TemplateChoices onChoose={(template) => onOpen({ type: 'create', template })} />
  </div>
)

type ListsProps = OpenProps & { plans: readonly Plan[]; onDone: (act: PlanAct) => void }

function PlanLists({ plans, ...actions }: ListsProps) {
  const soldPlans = plans.filter(({ retired_at }) => retired_at === null)
  const retiredPlans = plans.filter(({ retired_at }) => retired_at !== null)
  return (
    <>
      <PlanList label="Plans for sale" plans={soldPlans} {...actions} />
      {retiredPlans.length > 0 && (
        <section className={kit.stackSmall} aria-labelledby="retired-plans">
          <h2 id="retired-plans" className={kit.title}>
            No longer sold
          </h2>
          <PlanList label="Plans no longer sold" plans={retiredPlans} {...actions} />
        </section>
      )}
    </>
  )
}

const PlanList = ({ label, plans, onOpen, onDone }: ListsProps & { label: string }) => (
  <ul aria-label={label} className={styles.plans}>
    {plans.map((plan) => (
      <PlanCard key={plan.id} plan={plan} onOpen={onOpen} onDone={onDone} />
    ))}
  </ul>
)

type DialogProps = ListsProps & { dialog: PlansDialog }

function OpenPlansDialog({ plans, dialog, onOpen, onDone }: DialogProps) {
  const close = () => onOpen(null)
  if (dialog.type === 'rules') return <RulesDialog onClose={close} />
  if (dialog.type === 'new')
    return (
      <NewPlanSheet onClose={close} onChoose={(template) => onOpen({ type: 'create', template })} />
    )
  if (dialog.type === 'create') return <PlanDialog template={dialog.template} onClose={close} />
  const plan = plans.find(({ id }) => id === dialog.id)
  if (!plan) return null
  if (dialog.type === 'price') return <PriceDialog plan={plan} onClose={close} />
  return <PlanDialog plan={plan} onClose={close} onRetired={onDone} />
}
