import { formatMoney, formatPart } from '@tatami/contract/lib/money'
import { IconCheck, IconClock, IconDots, IconQuestionMark } from '@tabler/icons-react'
import type { GuardianSummary } from '@tatami/contract/guardians/guardians'
import type { Student } from '@tatami/contract/students/students'
import { type ComponentType, useLayoutEffect, useRef } from 'react'
import { formatInstantDate, today } from '../lib/dates.ts'
import { formatMonth } from '../lib/month.ts'
import { Badge } from '../ui/badge.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { describeBalance, NOTHING_DUE } from './account-figures.ts'
import type { ListProps } from './payment-list.tsx'
import styles from './payment-list.module.css'
import { raisedFeeWords } from './price-words.ts'
import { promiseText } from './promise-text.ts'
import type { RowTools } from './row-tools.ts'
import type { ReducedPrice } from './payment-reads.ts'
import { type Facts, owesOlderMonth } from './use-payments.ts'
import kit from '../ui/kit.module.css'

export type RowProps = Facts & {
  student: Student
  isOfFamily: boolean
  isSelected: boolean
  tools: RowTools
}
export type FamilyProps = Omit<ListProps, 'entries'> & {
  payer: GuardianSummary
  students: readonly Student[]
}

/** A line for each payer, with the rows of the students below it. */
export const entryRows = (
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
        {...list.factsOf(student)}
        isOfFamily={payer !== null}
        isSelected={list.selected.has(student.id)}
        tools={list.tools}
      />
    )),
  ])

export const typeLabel = (student: Student) => (student.is_trial ? 'Trial' : 'Regular')

type FeeProps = { student: Student; price: ReducedPrice | undefined }

/** What the student pays, "$67.50 of $80.00" where that is less than the fee. */
export function Fee({ student: { monthly_payment_amount }, price }: FeeProps) {
  const raisedFee = price && raisedFeeWords(price, monthly_payment_amount)
  if (raisedFee) return raisedFee
  return (
    <>
      <span className={styles.price}>{formatMoney(price?.amount ?? monthly_payment_amount)}</span>
      {price && <span className={styles.price}> of {formatMoney(monthly_payment_amount)}</span>}
    </>
  )
}

/** A line for why it is less, and the instructor's note; none where there is neither. */
export function FeeReason({ student: { price_note, monthly_payment_amount }, price }: FeeProps) {
  const isRaised = price && raisedFeeWords(price, monthly_payment_amount) !== undefined
  const words = [!isRaised && price?.reason, price_note].filter(Boolean).join(' · ')
  return words && <span className={styles.reason}>{words}</span>
}

/** Over all months. Where a mark may change it, the line is there before and after, so that no row moves. */
export function BalanceLine({ facts }: { facts: Facts }) {
  const { balance, promisedOn, state, paidAt } = facts
  const promise = promisedOn && promiseText(promisedOn, today())
  const paid = state === 'paid' && paidAt && `Marked paid ${formatInstantDate(paidAt)}`
  const owed = [describeBalance(balance, today()), promise].filter(Boolean).join(' · ')
  const words = owed || paid || ''
  if (words === '' && state === 'nothing_due') return null
  return (
    <span
      className={`${kit.note} ${styles.balance}`}
      data-owes={balance !== undefined && balance.owed > 0}
      data-settled={owed === ''}
    >
      {words}
    </span>
  )
}

const ICONS = {
  paid: IconCheck,
  unpaid: IconClock,
  unconfirmed: IconQuestionMark,
  nothing_due: undefined,
}
const TONES = {
  paid: 'green',
  unpaid: 'orange',
  unconfirmed: 'plain',
  nothing_due: 'plain',
} as const
const WORDS = {
  paid: 'Paid',
  unpaid: 'Unpaid',
  unconfirmed: 'Unpaid',
  nothing_due: NOTHING_DUE,
} as const

/** Whether the month is paid, or how much of it. */
export function PaidBadge({ facts: { state, cost, received } }: { facts: Facts }) {
  const Icon = ICONS[state]
  const isPart = state === 'unpaid' && received > 0
  return (
    <span className={`${kit.inline} ${styles.state}`}>
      <Badge tone={TONES[state]}>
        {Icon && <Icon size={16} aria-hidden />}
        {isPart ? formatPart(received, cost) : WORDS[state]}
        {isPart && <VisuallyHidden> paid</VisuallyHidden>}
      </Badge>
      {state === 'unconfirmed' && <span className={kit.note}> not confirmed</span>}
    </span>
  )
}

type ActionProps = { student: Student; facts: Facts; tools: RowTools }

/**
 * The button of the current status is disabled, and both are while the status is unconfirmed. Where nothing
 * is due, Mark Paid opens the sheet of payments: nobody is charged by a slip of the thumb.
 */
export function RowActions({ student, facts, tools }: ActionProps) {
  const { state, isFree, cost } = facts
  const isNothingDue = state === 'nothing_due'
  const hasOlderDebt = owesOlderMonth(facts, tools.month)
  const actions = useFocusHandover()
  const forStudent = <VisuallyHidden>{` for ${student.name}`}</VisuallyHidden>
  return (
    <div ref={actions} className={`${kit.wrap} ${styles.actions}`}>
      <button
        type="button"
        className={styles.markPaid}
        disabled={state !== 'unpaid' && !isNothingDue}
        aria-haspopup={isNothingDue ? 'dialog' : undefined}
        onClick={() => (isNothingDue ? tools.onPayMonth(student) : tools.onMark(student, 'paid'))}
      >
        Mark Paid{forStudent}
        {hasOlderDebt && <span className={styles.sum}>{formatMonth(tools.month)}</span>}
      </button>
      <button
        type="button"
        className={styles.markUnpaid}
        disabled={state !== 'paid' && !(isFree && cost > 0)}
        onClick={() => tools.onMark(student, 'unpaid')}
      >
        Mark Unpaid{forStudent}
      </button>
      <button
        type="button"
        className={styles.more}
        aria-haspopup="dialog"
        aria-label={`Payments of ${student.name}`}
        onClick={() => tools.onOpen(student)}
        onPointerEnter={tools.onIntent}
        onFocus={tools.onIntent}
      >
        <IconDots size={20} aria-hidden />
      </button>
    </div>
  )
}

/** A mark disables its own button, so the row's other button takes over the focus. */
function useFocusHandover() {
  const actions = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (actions.current?.querySelector(':disabled') === document.activeElement)
      actions.current?.querySelector<HTMLElement>('button:enabled')?.focus()
  })
  return actions
}

type SelectProps = {
  label: string
  /** What a phone shows in the round place. */
  belt?: Pick<Student, 'rank' | 'belt_level'>
  isSelected: boolean
  isPart?: boolean
  isDisabled?: boolean
  onSelect: (isSelected: boolean) => void
}

/** The place at the left of a row that selects it. */
export const Select = ({
  label,
  belt,
  isSelected,
  isPart = false,
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
        if (box) box.indeterminate = isPart && !isSelected
      }}
      onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
    />
    <span className={styles.mark} aria-hidden>
      {isSelected ? (
        <IconCheck size={18} stroke={3} />
      ) : (
        belt && <RankBelt rank={belt.rank} level={belt.belt_level} size={26} decorative />
      )}
    </span>
  </label>
)
