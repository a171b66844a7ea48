import { Button } from '@mantine/core'
import { formatMoney } from '@tatami/contract/lib/money'
import type { Membership } from '@tatami/contract/memberships/memberships'
import type { Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { LedgerUndoBar, type LedgerNotice } from '../dues/undo-bar.tsx'
import { useCan } from '../lib/current-user.ts'
import { thisMonth } from '../lib/month.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import type { MembershipNotice } from './membership-bar.tsx'
import kit from '../ui/kit.module.css'

const PaymentDialog = lazyComponent(() => import('../dues/payment-dialog.tsx'), 'PaymentDialog')

type Props = {
  student: Student
  membership: Membership
  endNotice: MembershipNotice
  onRefunded: () => void
}

/** What the end of a plan gave back is credit. Whoever ended it can refund at once what is left
 *  after debts, as long as the end is not taken back. */
export function RefundOffer({ student, membership, endNotice, onRefunded }: Props) {
  const [isRefunding, setRefunding] = useState(false)
  const [notice, setNotice] = useState<LedgerNotice | null>(null)
  const can = useCan()
  const { id, refundable = 0 } = endNotice
  const plan = membership.subscriptions.find((subscription) => subscription.id === id)
  const hasEnded = plan !== undefined && plan.cancel_asked_on !== null
  if (!hasEnded || refundable === 0 || !can('money.give_back')) return null
  return (
    <>
      {!notice && (
        <div className={`${kit.sunken} ${kit.spread}`}>
          <span>{formatMoney(refundable)} already paid can be refunded.</span>
          <Button variant="default" size="sm" onClick={() => setRefunding(true)}>
            Refund
          </Button>
        </div>
      )}
      {isRefunding && (
        <PaymentDialog
          student={student}
          month={thisMonth()}
          monthStatus="settled"
          action="refund"
          creditToRefund={refundable}
          onClose={() => setRefunding(false)}
          onDone={setNotice}
        />
      )}
      {notice && <LedgerUndoBar key={notice.actId} notice={notice} onDismiss={onRefunded} />}
    </>
  )
}
