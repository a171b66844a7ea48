import { MONTHS } from '@tatami/contract/lib/calendar-day'
import { formatMoney, formatPartOfTotal } from '@tatami/contract/lib/money'
import { IconCheck, IconClock, IconDots, IconQuestionMark } from '@tabler/icons-react'
import type { GuardianSummary } from '@tatami/contract/guardians/guardians'
import type { Student } from '@tatami/contract/students/students'
import { type ComponentType, useLayoutEffect, useRef } from 'react'
import { formatInstantDate, today } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { Face } from '../ui/face.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { describeBalance, NOTHING_DUE } from './account-figures.ts'
import { OnlineChip } from './online-notes.tsx'
import { isOnItsWay } from './use-online-students.ts'
import type { ListProps } from './payment-list.tsx'
import styles from './payment-list.module.css'
import { describeRaisedFee } from './raised-fee.ts'
import { describePromise } from './promise-days.ts'
import type { RowTools } from './row-tools.ts'
import type { ReducedPrice } from './payment-reads.ts'
import { type StudentMonth, owesOlderMonth } from './use-payments.ts'
import kit from '../ui/kit.module.css'

export type RowProps = StudentMonth & {
  student: Student
  isInFamily: boolean
  isSelected: boolean
  tools: RowTools
}
export type FamilyProps = Omit<ListProps, 'entries'> & {
  payer: GuardianSummary
  students: readonly Student[]
}

export const renderRows = (
  { entries, ...list }: ListProps,
  FamilyLine: ComponentType<FamilyProps>,
  StudentLine: ComponentType<RowProps>,
) =>
  entries.map(({ payer, students }) => [
    payer && <FamilyLine key={payer.id} payer={payer} students={students} {...list} />,
    ...students.map((student) => (
      <StudentLine
        key={student.id}
        student={student}
        {...list.getStudentMonth(student)}
        isInFamily={payer !== null}
        isSelected={list.selectedIds.has(student.id)}
        tools={list.tools}
      />
    )),
  ])

export const studentTypeLabel = (student: Student) => (student.is_trial ? 'Trial' : 'Regular')

type FeeProps = { student: Student; price: ReducedPrice | undefined }

export function Fee({ student: { monthly_payment_amount }, price }: FeeProps) {
  const raisedFee = price && describeRaisedFee(price, monthly_payment_amount)
  if (raisedFee) return raisedFee
  return (
    <>
      <span className={styles.price}>{formatMoney(price?.amount ?? monthly_payment_amount)}</span>
      {price && <span className={styles.price}> of {formatMoney(monthly_payment_amount)}</span>}
    </>
  )
}

export function FeeReason({ student: { price_note, monthly_payment_amount }, price }: FeeProps) {
  const isRaised = price && describeRaisedFee(price, monthly_payment_amount) !== undefined
  const reason = joinNonEmpty([!isRaised && price?.reason, price_note], ' · ')
  return reason && <span className={styles.reason}>{reason}</span>
}

/** Unless nothing is due, takes up space even if empty, so that marking does not move rows. */
export function BalanceLine({ month }: { month: StudentMonth }) {
  const { balance, promisedOn, state, paidAt } = month
  const promise = promisedOn && describePromise(promisedOn, today())
  const paidText = state === 'paid' && paidAt && `Marked paid ${formatInstantDate(paidAt)}`
  const owedText = joinNonEmpty([describeBalance(balance, today()), promise], ' · ')
  const text = owedText || paidText || ''
  if (text === '' && state === 'nothing_due') return null
  return (
    <span
      className={`${kit.note} ${styles.balance}`}
      data-owes={balance !== undefined && balance.owed > 0}
      data-settled={owedText === ''}
    >
      {text}
    </span>
  )
}

const BADGES = {
  paid: { icon: IconCheck, tone: 'green', label: 'Paid' },
  unpaid: { icon: IconClock, tone: 'orange', label: 'Unpaid' },
  unconfirmed: { icon: IconQuestionMark, tone: 'plain', label: 'Unpaid' },
  nothing_due: { icon: undefined, tone: 'plain', label: NOTHING_DUE },
} as const

export function PaidBadge({ month: { state, cost, received, online } }: { month: StudentMonth }) {
  const { icon: Icon, tone, label } = BADGES[state]
  const isPartlyPaid = state === 'unpaid' && received > 0
  return (
    <span className={`${kit.inline} ${styles.state}`}>
      <Badge tone={tone}>
        {Icon && <Icon size={16} aria-hidden />}
        {isPartlyPaid ? formatPartOfTotal(received, cost) : label}
        {isPartlyPaid && <VisuallyHidden> paid</VisuallyHidden>}
      </Badge>
      {state === 'unconfirmed' && <span className={kit.note}> not confirmed</span>}
      <OnlineChip online={online} isPaid={state !== 'unpaid'} />
    </span>
  )
}

type ActionProps = { student: Student; month: StudentMonth; tools: RowTools }

/** If nothing is due, Mark Paid opens the payment dialog, so that no one is charged by accident. */
export function MarkButtons({ student, month, tools }: ActionProps) {
  const { state, isFree, cost, due, online } = month
  const isNothingDue = state === 'nothing_due'
  const hasOlderDebt = owesOlderMonth(month, tools.month)
  const isPaidByBank =
    online !== undefined && isOnItsWay(online) && (online.on_its_way ?? due) >= due
  const buttonsRef = useFocusHandover()
  const hiddenName = <VisuallyHidden>{` for ${student.name}`}</VisuallyHidden>
  return (
    <div ref={buttonsRef} className={styles.marks}>
      <button
        type="button"
        className={styles.markPaid}
        data-quiet={isPaidAutomatically(online)}
        disabled={isPaidByBank || (state !== 'unpaid' && !isNothingDue)}
        aria-haspopup={isNothingDue ? 'dialog' : undefined}
        onClick={() => (isNothingDue ? tools.onPayMonth(student) : tools.onMark(student, 'paid'))}
      >
        Mark Paid{hiddenName}
        {hasOlderDebt && <span className={styles.sum}>{MONTHS[tools.month.month]}</span>}
      </button>
      <button
        type="button"
        className={styles.markUnpaid}
        disabled={state !== 'paid' && !(isFree && cost > 0)}
        onClick={() => tools.onMark(student, 'unpaid')}
      >
        Mark Unpaid{hiddenName}
      </button>
    </div>
  )
}

/** Nobody has to mark students who pay by autopay, unless a payment was declined. */
const isPaidAutomatically = (online: StudentMonth['online']): boolean =>
  online !== undefined && online.autopay !== null && online.problem === null

type OpenProps = Omit<ActionProps, 'month'> & { className: string | undefined }

export const OpenButton = ({ student, tools, className }: OpenProps) => (
  <button
    type="button"
    className={className}
    aria-haspopup="dialog"
    aria-label={`Payments of ${student.name}`}
    onClick={() => tools.onOpen(student)}
    onPointerEnter={tools.onPreload}
    onFocus={tools.onPreload}
  >
    <IconDots size={20} aria-hidden />
  </button>
)

/** Moves the focus to the row's other button when a click has disabled the focused one. */
function useFocusHandover() {
  const buttonsRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (buttonsRef.current?.querySelector(':disabled') === document.activeElement)
      buttonsRef.current?.querySelector<HTMLElement>('button:enabled')?.focus()
  })
  return buttonsRef
}

type SelectProps = {
  label: string
  student?: Student
  isSelected: boolean
  isPartial?: boolean
  isDisabled?: boolean
  onSelect: (isSelected: boolean) => void
}

export const RowCheckbox = ({
  label,
  student,
  isSelected,
  isPartial = false,
  isDisabled = false,
  onSelect,
}: SelectProps) => (
  <label className={styles.select}>
    <input
      type="checkbox"
      aria-label={label}
      checked={isSelected}
      disabled={isDisabled}
      ref={(box) => {
        if (box) box.indeterminate = isPartial && !isSelected
      }}
      onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
    />
    {student && <Face student={student} size={32} />}
    <span className={styles.mark} data-on-face={student !== undefined} aria-hidden>
      {isSelected && <IconCheck size={student ? 12 : 18} stroke={3} />}
    </span>
  </label>
)
