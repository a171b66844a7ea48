import { Button } from '@mantine/core'
import { formatMoney } from '@tatami/contract/lib/money'
import {
  type OwnMembership as Membership,
  ownMembershipsApi,
  type OwnSubscription,
} from '@tatami/contract/memberships/own-memberships'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { capitalize, joinNonEmpty, pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { EndOwnDialog } from './end-own-dialog.tsx'
import styles from './own-membership.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  studentId: string
  /** Frames the plans. It is not called for a student without one. */
  renderFrame: (plans: ReactNode) => ReactNode
}

/** The plans and class packs of a student, for the student and the guardians. */
export function OwnMembership({ studentId, renderFrame }: Props) {
  const { data } = useQuery(endpointQuery(ownMembershipsApi.list))
  const membership = data?.find(({ student_id }) => student_id === studentId)
  if (!membership || isEmpty(membership)) return null
  const { subscriptions, packs, hold, name } = membership
  return renderFrame(
    <div className={kit.stackSmall}>
      {subscriptions.map((subscription) => (
        <OwnPlan key={subscription.id} subscription={subscription} studentName={name} />
      ))}
      {hold && <p>{describeOwnHold(hold)}</p>}
      {packs.map((pack) => (
        <p key={pack.id}>{describePack(pack)}</p>
      ))}
    </div>,
  )
}

const isEmpty = ({ subscriptions, packs }: Membership): boolean =>
  subscriptions.length === 0 && packs.length === 0

const describeOwnHold = ({ kind, ends_on }: NonNullable<Membership['hold']>): string =>
  joinNonEmpty([`On hold: ${capitalize(kind)}`, ends_on !== null && `until ${formatDate(ends_on)}`])

const describePack = ({ plan_name, visits_left, expires_on }: Membership['packs'][number]) =>
  joinNonEmpty([
    `${plan_name}: ${pluralize(visits_left, 'class', 'classes')} left`,
    expires_on !== null && `until ${formatDate(expires_on)}`,
  ])

type PlanProps = { subscription: OwnSubscription; studentName: string }

function OwnPlan({ subscription, studentName }: PlanProps) {
  const [isEnding, setEnding] = useState(false)
  const { plan_name, price, next_charge, may_end, may_keep } = subscription
  return (
    <div className={styles.plan}>
      <div>
        <p className={kit.strong}>{joinNonEmpty([plan_name, price])}</p>
        {next_charge && (
          <p className={kit.muted}>
            Next: {formatMoney(next_charge.amount)} on {formatDate(next_charge.due_on)}
          </p>
        )}
        <PlanDates subscription={subscription} />
      </div>
      {may_keep && <KeepOwnButton subscription={subscription} studentName={studentName} />}
      {may_end && !may_keep && (
        <Button variant="subtle" size="sm" onClick={() => setEnding(true)}>
          End
          <VisuallyHidden>{` ${plan_name} of ${studentName}`}</VisuallyHidden>
        </Button>
      )}
      {isEnding && <EndOwnDialog subscription={subscription} onClose={() => setEnding(false)} />}
    </div>
  )
}

function PlanDates({
  subscription: { state, starts_on, ends_on },
}: Pick<PlanProps, 'subscription'>) {
  if (ends_on !== null && ends_on < starts_on)
    return <p className={kit.orange}>Ended as if it had never started</p>
  if (state === 'coming') return <p className={kit.blue}>Starts on {formatDate(starts_on)}</p>
  return ends_on !== null && <p className={kit.orange}>Last day: {formatDate(ends_on)}</p>
}

function KeepOwnButton({ subscription: { id, plan_name }, studentName }: PlanProps) {
  const cache = useQueryClient()
  const keep = useEndpointMutation(ownMembershipsApi.keep, {
    onSuccess: () => refreshAll(cache),
    onError: (error) =>
      alertFailure(errorMessage(error, 'Your plan could not be kept. Please try again.')),
  })
  return (
    <BusyButton
      variant="light"
      size="sm"
      busy={keep.isPending}
      busyLabel="Saving..."
      onClick={() => keep.mutate({ params: { id } })}
    >
      Keep
      <VisuallyHidden>{` ${plan_name} of ${studentName}`}</VisuallyHidden>
    </BusyButton>
  )
}
