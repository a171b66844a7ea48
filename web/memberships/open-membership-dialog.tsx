import type { Membership, Subscription } from '@tatami/contract/memberships/memberships'
import type { Student } from '@tatami/contract/students/students'
import { ChangeDialog } from './change-dialog.tsx'
import { EndDialog } from './end-dialog.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import type { MembershipNotice } from './membership-bar.tsx'
import type { MembershipDialog } from './open-dialog.ts'
import { PackDialog } from '../plans/pack-dialog.tsx'
import { StartDialog } from './start-dialog.tsx'

type Props = {
  student: Student
  membership: Membership
  dialog: MembershipDialog
  onClose: () => void
  onDone: (notice: MembershipNotice) => void
}

export function OpenMembershipDialog({ student, membership, dialog, onClose, onDone }: Props) {
  const common = { student, onClose, onDone }
  if (dialog.type === 'start') return <StartDialog {...common} membership={membership} />
  if (dialog.type === 'pack') return <PackDialog student={student} onClose={onClose} />
  if (dialog.type === 'hold')
    return <HoldDialog {...common} subscriptions={listHoldable(membership.subscriptions)} />
  const subscription = membership.subscriptions.find(({ id }) => id === dialog.subscriptionId)
  if (!subscription) return null
  if (dialog.type === 'change') return <ChangeDialog {...common} subscription={subscription} />
  return <EndDialog {...common} subscription={subscription} />
}

const listHoldable = (subscriptions: readonly Subscription[]) =>
  subscriptions.filter(({ state }) => state !== 'ended')
