import { Button } from '@mantine/core'
import type { Membership } from '@tatami/contract/memberships/memberships'
import { useStartablePlans } from './startable-plans.ts'
import type { MembershipDialog } from './open-dialog.ts'
import kit from '../ui/kit.module.css'

type Props = { membership: Membership; onOpen: (dialog: MembershipDialog) => void }

/** The acts that are not about one of the student's plans. */
export function MembershipButtons({ membership, onOpen }: Props) {
  const { memberships, packs } = useStartablePlans(membership)
  const hasPlan = membership.subscriptions.some(({ state }) => state !== 'ended')
  const startLabel = hasPlan ? 'Add a plan' : 'Put on a plan'
  return (
    <div className={kit.row}>
      {memberships.length > 0 && (
        <Button
          variant={hasPlan ? 'default' : 'light'}
          size="sm"
          onClick={() => onOpen({ type: 'start' })}
        >
          {startLabel}
        </Button>
      )}
      {packs.length > 0 && (
        <Button variant="default" size="sm" onClick={() => onOpen({ type: 'pack' })}>
          Sell classes
        </Button>
      )}
      {(hasPlan || membership.packs.length > 0) && (
        <Button variant="default" size="sm" onClick={() => onOpen({ type: 'hold' })}>
          Hold
        </Button>
      )}
    </div>
  )
}
