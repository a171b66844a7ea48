import { NativeSelect } from '@mantine/core'
import {
  type BalanceMeaning,
  currentMonthKey,
  paidThroughMonths,
} from '@tatami/contract/import/history'
import { formatMoney } from '@tatami/contract/lib/money'
import { formatMonthOfDate, today } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import kit from '../ui/kit.module.css'

/** Asks about fees and balances, so that nobody owes fees for the time before the import. */
export function MoneyQuestions(props: ReviewProps) {
  const { paying_students, balances_in_sheet } = props.plan
  const { owing_students, students_with_credit, unclear_amount } = balances_in_sheet
  const hasBalances = owing_students + students_with_credit > 0 || unclear_amount !== null
  if (paying_students === 0 && !hasBalances) return null
  return (
    <Panel title="Fees">
      {paying_students > 0 && <PaidThroughQuestion {...props} />}
      {unclear_amount !== null && <BalanceQuestion {...props} amount={unclear_amount} />}
      {balances_in_sheet.debts_with_open_month > 0 && <DebtMonthQuestion {...props} />}
      {balances_in_sheet.repeated > 0 && <RepeatedBalancesQuestion {...props} />}
      {hasBalances && <p className={kit.muted}>{describeBalances(props)}</p>}
    </Panel>
  )
}

const formatMonth = (month: string) => formatMonthOfDate(`${month}-01`)

function PaidThroughQuestion({ sheet, state, plan }: ReviewProps) {
  const [lastMonth = '', currentMonth, ...laterMonths] = paidThroughMonths(today())
  const thisMonth = currentMonth ?? currentMonthKey(today())
  return (
    <div className={styles.fields}>
      <NativeSelect
        label="Paid through which month?"
        description={
          state.sheet.fields.includes('paid_through')
            ? 'For students whose row doesn’t say. Nobody owes a month that is paid.'
            : 'Nobody owes these months or gets reminders about them.'
        }
        value={state.paidThrough || plan.paid_through}
        onChange={({ currentTarget: { value } }) => sheet.setPaidThrough(value)}
        data={[
          { value: lastMonth, label: `${formatMonth(lastMonth)}: they owe this month` },
          { value: thisMonth, label: `${formatMonth(thisMonth)} (this month)` },
          ...laterMonths.map((month) => ({ value: month, label: formatMonth(month) })),
        ]}
      />
    </div>
  )
}

type BalanceAnswer = BalanceMeaning | 'none'
const BALANCE_CHOICES: { value: BalanceAnswer; label: string }[] = [
  { value: 'owed', label: 'They owe it' },
  { value: 'credit', label: 'They have it as credit' },
  { value: 'none', label: 'Leave balances out' },
]

const BalanceQuestion = ({ sheet, state, amount }: ReviewProps & { amount: string }) => (
  <div className={`${kit.stackTight} ${styles.choiceRow}`}>
    <span>{`What does a balance of ${amount} mean?`}</span>
    <ChoiceBar
      label={`What does a balance of ${amount} mean?`}
      choices={BALANCE_CHOICES}
      value={state.balanceMeaning || 'none'}
      onChange={(meaning) => sheet.setBalanceMeaning(meaning === 'none' ? '' : meaning)}
    />
  </div>
)

const DEBT_CHOICES: { value: 'yes' | 'no'; label: string }[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No, they owe it too' },
]

function DebtMonthQuestion({ sheet, state }: ReviewProps) {
  const question = `Does the balance include the fee for ${formatMonthOfDate(today())}?`
  return (
    <div className={`${kit.stackTight} ${styles.choiceRow}`}>
      <span>{question}</span>
      <ChoiceBar
        label={question}
        choices={DEBT_CHOICES}
        value={state.debtsIncludeThisMonth ? 'yes' : 'no'}
        onChange={(choice) => sheet.setDebtsIncludeThisMonth(choice === 'yes')}
      />
    </div>
  )
}

const FAMILY_CHOICES: { value: 'once' | 'each'; label: string }[] = [
  { value: 'once', label: 'Once for the family' },
  { value: 'each', label: 'Each child' },
]

const RepeatedBalancesQuestion = ({ sheet, state }: ReviewProps) => (
  <div className={`${kit.stackTight} ${styles.choiceRow}`}>
    <span>Some siblings have the same balance. Who owes it?</span>
    <ChoiceBar
      label="Some siblings have the same balance. Who owes it?"
      choices={FAMILY_CHOICES}
      value={state.isBalancePerSibling ? 'each' : 'once'}
      onChange={(choice) => sheet.setBalancePerSibling(choice === 'each')}
    />
  </div>
)

function describeBalances({ plan: { balances_in_sheet: balances }, state }: ReviewProps): string {
  const { owing_students, owed, students_with_credit, credit, debts_with_open_month } = balances
  const addsFees = debts_with_open_month > 0 && !state.debtsIncludeThisMonth
  const feeText = addsFees ? `, with the fee for ${formatMonthOfDate(today())}` : ''
  const owing = pluralize(owing_students, 'new student owes', 'new students owe')
  const paidAhead = pluralize(students_with_credit, 'new student has', 'new students have')
  const summary = joinNonEmpty([
    owing_students > 0 && `${owing} ${formatMoney(owed)}${feeText}`,
    students_with_credit > 0 && `${paidAhead} ${formatMoney(credit)} credit`,
  ])
  return summary === '' ? 'Until you choose, balances are left out.' : `${summary}.`
}
