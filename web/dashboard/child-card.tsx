import type { Month } from '@tatami/contract/lib/calendar-day'
import { formatMoney, formatPartOfTotal } from '@tatami/contract/lib/money'
import { Button, Paper, Title } from '@mantine/core'
import { familiesApi } from '@tatami/contract/families/families'
import type { Child } from '@tatami/contract/families/family-home'
import { chargeName } from '@tatami/contract/ledger/charge-words'
import { useState } from 'react'
import { NextClass } from '../attendance/next-class.tsx'
import { failureMessage } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { StudentDataButton } from '../exports/student-data-button.tsx'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { formatMonth } from '../lib/month.ts'
import { studentAttendancePath } from '../lib/paths.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { NOTHING_DUE } from '../dues/account-figures.ts'
import { describeRaisedFee } from '../dues/raised-fee.ts'
import { firstName } from '@tatami/contract/lib/name-parts'
import { EditableFace } from '../pictures/editable-face.tsx'
import { Face } from '../ui/face.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankName } from '../ui/rank-name.ts'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { describeBelt } from './describe-belt.ts'
import { DueAmount } from './due-amount.tsx'
import styles from './guardian-home.module.css'
import kit from '../ui/kit.module.css'

const OwnBelts = lazyComponent(
  () => import('../belts/own-belts.tsx'),
  'OwnBelts',
  <SkeletonBlock height="12rem" />,
)
const OwnMembership = lazyComponent(
  () => import('../memberships/own-membership.tsx'),
  'OwnMembership',
)
const ContactDialog = lazyComponent(() => import('./contact-dialog.tsx'), 'ContactDialog')

export function ChildCard({ child, month }: { child: Child; month: Month }) {
  const { id, name, rank, belt_level, is_trial, fees, may_edit, allows_log_in } = child
  const [isEditing, setEditing] = useState(() => drafts.subjectOf('contacts') === id)
  const givenName = firstName(name)
  return (
    <Paper component="article" className={`${kit.stackSmall} ${styles.card}`} aria-label={name}>
      <div className={`${kit.line} ${styles.head}`}>
        {may_edit ? <EditableFace student={child} size={64} /> : <Face student={child} size={64} />}
        <div>
          <Title order={2}>{name}</Title>
          <p className={`${kit.line} ${kit.muted}`}>
            <RankBelt rank={rank} level={belt_level} size={36} decorative />
            {joinNonEmpty(
              [
                rank ? rankName(rank, belt_level) : describeBelt(belt_level, child.belt_progress),
                is_trial && 'on trial',
              ],
              ' · ',
            )}
          </p>
        </div>
      </div>
      <div className={styles.part}>
        <ChildNextClass child={child} name={givenName} />
      </div>
      <Attendance child={child} name={givenName} />
      {rank && (
        <div className={styles.part}>
          <OwnBelts studentId={id} isMainRankShown />
        </div>
      )}
      {fees && <Fees fees={fees} month={month} />}
      <OwnMembership
        studentId={id}
        renderFrame={(plans) => <div className={styles.part}>{plans}</div>}
      />
      {allows_log_in !== null && (
        <AllowLogin childId={id} name={givenName} isAllowed={allows_log_in} />
      )}
      <div className={kit.row}>
        {may_edit && (
          <Button
            variant="light"
            onClick={() => setEditing(true)}
            {...ContactDialog.preloadOnHover}
          >
            Change contacts<VisuallyHidden>{` for ${givenName}`}</VisuallyHidden>
          </Button>
        )}
        <StudentDataButton id={id} name={givenName} />
      </div>
      {isEditing && <ContactDialog child={child} onClose={() => setEditing(false)} />}
    </Paper>
  )
}

type ChildProps = { child: Child; name: string }

function ChildNextClass({ child, name }: ChildProps) {
  if (child.awaits_approval)
    return (
      <p className={kit.muted}>
        Your instructor needs to approve {name} first. Then you’ll see classes here.
      </p>
    )
  if (child.on_vacation) return <p className={kit.muted}>On vacation, so no classes.</p>
  const emptyText =
    child.classes.length > 0
      ? 'No class in the next two weeks.'
      : 'Not in a class yet. Your instructor assigns the classes.'
  return (
    <NextClass
      student={{ id: child.id, name }}
      nextClass={child.next_class}
      emptyText={emptyText}
    />
  )
}

const Attendance = ({ child: { id, attendance }, name }: ChildProps) => (
  <div className={styles.part}>
    <div className={`${kit.row} ${styles.line}`}>
      <span className={kit.muted}>This month</span>
      <span>
        {attendance.present_this_month} present, {attendance.absent_this_month} absent
      </span>
    </div>
    {attendance.marks_90_days > 0 && (
      <div className={`${kit.row} ${styles.line}`}>
        <span className={kit.muted}>Last 90 days</span>
        <span>
          {Math.round((attendance.present_90_days / attendance.marks_90_days) * 100)}% present
        </span>
      </div>
    )}
    <LayoutLink to={studentAttendancePath(id)} className={styles.attendance}>
      See all attendance<VisuallyHidden>{` of ${name}`}</VisuallyHidden>
    </LayoutLink>
  </div>
)

type FeesProps = { fees: NonNullable<Child['fees']>; month: Month }

/** The amount owed is the one that instructors see in the list of past-due families. */
const Fees = ({ fees, month }: FeesProps) => (
  <div className={styles.part}>
    <MonthFee fees={fees} month={month} />
    {fees.owed > 0 && <AmountOwed fees={fees} />}
    {fees.credit > 0 && (
      <div className={`${kit.row} ${styles.line}`}>
        <span className={kit.muted}>Credit</span>
        <span>{formatMoney(fees.credit)}</span>
      </div>
    )}
    {fees.price_reason && <p className={kit.muted}>{describePrice(fees, fees.price_reason)}</p>}
  </div>
)

/** Returns for example "This month $81.00, 2nd of 3: −10%", the discount for the second of three
 *  siblings. */
const describePrice = (fees: FeesProps['fees'], reason: string) =>
  describeRaisedFee({ amount: fees.month_price, reason }, fees.monthly_payment_amount) ??
  `This month ${formatMoney(fees.month_price)}, ${reason}`

function MonthFee({ fees, month }: FeesProps) {
  const isUnpaid = !fees.is_paid && fees.paid === 0
  // The amount owed, which is shown below, includes an unpaid month.
  if (isUnpaid && fees.owed > 0) return null
  return (
    <div className={`${kit.row} ${styles.line}`}>
      <span className={kit.muted}>{formatMonth(month)}</span>
      <PaidAmount fees={fees} />
    </div>
  )
}

function PaidAmount({ fees }: Pick<FeesProps, 'fees'>) {
  if (fees.is_paid) return <b className={kit.green}>{formatMoney(fees.paid)} paid</b>
  if (fees.paid === 0) return <span>{NOTHING_DUE}</span>
  return <span>{formatPartOfTotal(fees.paid, fees.month_price)} paid</span>
}

function AmountOwed({ fees: { owed, on_its_way, charges } }: Pick<FeesProps, 'fees'>) {
  const [firstCharge] = charges
  const isSingleCharge = charges.length === 1
  return (
    <>
      <div className={`${kit.row} ${styles.line}`}>
        <span className={kit.muted}>
          {isSingleCharge && firstCharge ? chargeName(firstCharge, schoolBeltTestName()) : 'Total'}
        </span>
        <DueAmount owed={owed} onItsWay={on_its_way} />
      </div>
      {!isSingleCharge && (
        <p className={kit.muted}>
          {charges
            .map(
              (charge) => `${chargeName(charge, schoolBeltTestName())} ${formatMoney(charge.owed)}`,
            )
            .join(', ')}
        </p>
      )}
    </>
  )
}

type AllowProps = { childId: string; name: string; isAllowed: boolean }

function AllowLogin({ childId, name, isAllowed }: AllowProps) {
  const allow = useEndpointMutation(familiesApi.allowLogin, {
    scope: { id: `login of ${childId}` },
    refreshes: [familiesApi.home],
    waitsForRefresh: true,
  })
  return (
    <div className={styles.part}>
      <SwitchRow
        label={`${name} can have a login`}
        description={
          <>
            You agree that {name}, who is under 13, can log in to see their own classes, attendance,
            belt and announcements. You can change this at any time.
          </>
        }
        checked={allow.isPending ? allow.variables.body.is_allowed : isAllowed}
        error={failureMessage(allow, 'This could not be saved.')}
        onChange={(is_allowed) => allow.mutate({ params: { id: childId }, body: { is_allowed } })}
      />
    </div>
  )
}
