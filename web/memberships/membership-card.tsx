import { formatMoney } from '@tatami/contract/lib/money'
import type { Membership } from '@tatami/contract/memberships/memberships'
import type { Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { HoldRows } from './hold-rows.tsx'
import { MembershipBar, type MembershipNotice } from './membership-bar.tsx'
import { MembershipButtons } from './membership-buttons.tsx'
import { OpenMembershipDialog } from './open-membership-dialog.tsx'
import { findDialogWithDraft, type MembershipDialog } from './open-dialog.ts'
import { PackRows } from './pack-rows.tsx'
import { RefundOffer } from './refund-offer.tsx'
import { SubscriptionRow } from './subscription-row.tsx'
import { hasBegun } from './subscription-words.ts'
import kit from '../ui/kit.module.css'

type Props = { student: Student; membership: Membership }

export function MembershipCard({ student, membership }: Props) {
  const [openDialog, setOpenDialog] = useState<MembershipDialog | null>(() =>
    findDialogWithDraft(
      student.id,
      membership.subscriptions.map(({ id }) => id),
    ),
  )
  const [notice, setNotice] = useState<MembershipNotice | null>(null)
  const [endNotice, setEndNotice] = useState<MembershipNotice | null>(null)
  const showNotice = (newNotice: MembershipNotice) => {
    setNotice(newNotice)
    setEndNotice(newNotice.kind === 'ended' ? newNotice : null)
  }
  const can = useCan()
  const mayChange = student.left_on === null && can(['students.edit', 'money.take'])
  const { subscriptions, holds, packs } = membership
  // An end that was a slip can be taken back, so its plan stays in the list.
  const currentPlans = subscriptions.filter(({ state, may_keep }) => state !== 'ended' || may_keep)
  const endedPlans = subscriptions.filter(
    (subscription) => !currentPlans.includes(subscription) && hasBegun(subscription),
  )
  const rowProps = { mayChange, onOpen: setOpenDialog }
  return (
    <div className={kit.stackSmall}>
      {currentPlans.length === 0 && <p>{describeNoPlan(membership)}</p>}
      <ul className={kit.hairlines}>
        {currentPlans.map((subscription) => (
          <SubscriptionRow key={subscription.id} subscription={subscription} {...rowProps} />
        ))}
      </ul>
      <HoldRows holds={holds} mayChange={mayChange} onDone={setNotice} />
      <PackRows packs={packs} />
      {mayChange && <MembershipButtons membership={membership} onOpen={setOpenDialog} />}
      {endedPlans.length > 0 && (
        <Disclosure summary="Earlier plans">
          <ul className={kit.hairlines}>
            {endedPlans.map((subscription) => (
              <SubscriptionRow
                key={subscription.id}
                subscription={subscription}
                {...rowProps}
                mayChange={false}
              />
            ))}
          </ul>
        </Disclosure>
      )}
      {openDialog && (
        <OpenMembershipDialog
          {...{ student, membership, dialog: openDialog }}
          onClose={() => setOpenDialog(null)}
          onDone={showNotice}
        />
      )}
      {endNotice && (
        <RefundOffer
          {...{ student, membership, endNotice }}
          onRefunded={() => setEndNotice(null)}
        />
      )}
      {notice && (
        <MembershipBar key={notice.id} notice={notice} onDismiss={() => setNotice(null)} />
      )}
    </div>
  )
}

const describeNoPlan = ({ monthly_fee }: Membership): string =>
  monthly_fee === null ? 'No plan.' : `No plan. Monthly fee: ${formatMoney(monthly_fee)}`
