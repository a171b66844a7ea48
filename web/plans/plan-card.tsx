import { Button } from '@mantine/core'
import { mayBePublic, type Plan, plansApi } from '@tatami/contract/plans/plans'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import type { PlansDialog } from './open-dialog.ts'
import {
  countAtOtherPrices,
  describeAnnouncement,
  describeMembers,
  listPlanFacts,
} from './plan-text.ts'
import type { PlanAct } from './plan-undo-bar.tsx'
import styles from './plans.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  plan: Plan
  onOpen: (dialog: PlansDialog) => void
  onDone: (act: PlanAct) => void
}

export function PlanCard({ plan, onOpen, onDone }: Props) {
  const announcement = describeAnnouncement(plan)
  return (
    <li className={`${kit.card} ${styles.plan}`}>
      <div className={styles.text}>
        <div className={kit.spread}>
          <h3 className={`${kit.name} ${kit.title}`}>{plan.name}</h3>
          <PlanBadges plan={plan} />
        </div>
        <p className={`${kit.strong} ${styles.price}`}>{describePlanPrice(plan)}</p>
        <p>{describeMembers(plan)}</p>
        {announcement && <p className={kit.blue}>{announcement}</p>}
        <p className={kit.note}>{joinNonEmpty(listPlanFacts(plan), ' · ')}</p>
      </div>
      {plan.retired_at !== null ? (
        <RestoreButton plan={plan} onDone={onDone} />
      ) : (
        <PlanButtons plan={plan} onOpen={onOpen} />
      )}
    </li>
  )
}

const PlanBadges = ({ plan }: { plan: Plan }) => (
  <span className={`${kit.row} ${styles.badges}`}>
    {plan.is_add_on && <Badge>Add-on</Badge>}
    {isOnJoinPage(plan) && <Badge tone="green">On the join page</Badge>}
  </span>
)

const isOnJoinPage = (plan: Plan): boolean =>
  plan.is_public && mayBePublic(plan) && plan.retired_at === null

const PlanButtons = ({ plan, onOpen }: Pick<Props, 'plan' | 'onOpen'>) => (
  <div className={kit.row}>
    <Button
      variant="default"
      size="sm"
      aria-label={`Edit ${plan.name}`}
      onClick={() => onOpen({ type: 'edit', id: plan.id })}
    >
      Edit
    </Button>
    {countAtOtherPrices(plan) > 0 && plan.announcement?.price !== plan.price && (
      <Button
        variant="light"
        size="sm"
        aria-label={`Tell members of ${plan.name} about the new price`}
        onClick={() => onOpen({ type: 'price', id: plan.id })}
      >
        Tell members about the new price
      </Button>
    )}
  </div>
)

function RestoreButton({ plan, onDone }: Pick<Props, 'plan' | 'onDone'>) {
  const restore = useEndpointMutation(plansApi.restore, {
    refreshes: [plansApi.list],
    onSuccess: () => onDone({ kind: 'restored', plan }),
  })
  return (
    <div className={kit.row}>
      <ErrorNotice>
        {failureMessage(restore, 'The plan could not be changed. Please try again.')}
      </ErrorNotice>
      <BusyButton
        variant="default"
        size="sm"
        aria-label={`Sell ${plan.name} again`}
        busy={restore.isPending}
        busyLabel="Saving..."
        onClick={() => restore.mutate({ params: { id: plan.id } })}
      >
        Sell again
      </BusyButton>
    </div>
  )
}
