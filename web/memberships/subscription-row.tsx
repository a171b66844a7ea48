import { Button } from '@mantine/core'
import { membershipsApi, type Subscription } from '@tatami/contract/memberships/memberships'
import { useQueryClient } from '@tanstack/react-query'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import styles from './memberships.module.css'
import type { MembershipDialog } from './open-dialog.ts'
import {
  describeNextCharge,
  describeSubscriptionPrice,
  listSubscriptionDates,
} from './subscription-words.ts'
import kit from '../ui/kit.module.css'

type Props = {
  subscription: Subscription
  mayChange: boolean
  onOpen: (dialog: MembershipDialog) => void
}

export function SubscriptionRow({ subscription, mayChange, onOpen }: Props) {
  const nextCharge = describeNextCharge(subscription)
  const dates = joinNonEmpty(listSubscriptionDates(subscription), ' · ')
  return (
    <li className={styles.part}>
      <div className={styles.text}>
        <div className={kit.spread}>
          <h3 className={`${kit.name} ${kit.titleSmall}`}>{subscription.plan_name}</h3>
          <StateBadge subscription={subscription} />
        </div>
        <p className={styles.price}>{describeSubscriptionPrice(subscription)}</p>
        {nextCharge && <p className={styles.price}>{nextCharge}</p>}
        {dates && <p className={kit.note}>{dates}</p>}
      </div>
      {mayChange && <RowButtons subscription={subscription} onOpen={onOpen} />}
    </li>
  )
}

function StateBadge({ subscription }: Pick<Props, 'subscription'>) {
  const { state, starts_on, ends_on, is_add_on, changes_to } = subscription
  if (state === 'ended') return <Badge>Ended</Badge>
  if (state === 'coming') return <Badge tone="blue">Starts {formatDate(starts_on)}</Badge>
  if (changes_to)
    return (
      <Badge tone="orange">
        {changes_to.plan_name} from {formatDate(changes_to.starts_on)}
      </Badge>
    )
  if (state === 'ending' && ends_on !== null)
    return <Badge tone="orange">Ends {formatDate(ends_on)}</Badge>
  return is_add_on && <Badge>Add-on</Badge>
}

const RowButtons = ({ subscription, onOpen }: Omit<Props, 'mayChange'>) => (
  <div className={kit.row}>
    {subscription.may_keep ? (
      <KeepButton subscription={subscription} />
    ) : (
      <>
        <Button
          variant="default"
          size="sm"
          aria-label={`Change ${subscription.plan_name}`}
          onClick={() => onOpen({ type: 'change', subscriptionId: subscription.id })}
        >
          Change
        </Button>
        <Button
          variant="default"
          size="sm"
          aria-label={`End ${subscription.plan_name}`}
          onClick={() => onOpen({ type: 'end', subscriptionId: subscription.id })}
        >
          End
        </Button>
      </>
    )}
  </div>
)

function KeepButton({ subscription: { id, plan_name } }: Pick<Props, 'subscription'>) {
  const cache = useQueryClient()
  const keep = useEndpointMutation(membershipsApi.keep, {
    onSuccess: () => refreshAll(cache),
    onError: (error) =>
      alertFailure(errorMessage(error, 'The plan could not be kept. Please try again.')),
  })
  return (
    <BusyButton
      variant="default"
      size="sm"
      aria-label={`Keep ${plan_name}`}
      busy={keep.isPending}
      busyLabel="Saving..."
      onClick={() => keep.mutate({ params: { id } })}
    >
      Keep
    </BusyButton>
  )
}
