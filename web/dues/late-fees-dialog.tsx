import {
  firstDayOf,
  type Month,
  monthOfDate,
  addMonths,
  monthsFrom,
} from '@tatami/contract/lib/calendar-day'
import { formatPercent } from '@tatami/contract/lib/percent'
import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Button, Checkbox, NativeSelect, Text } from '@mantine/core'
import { NO_LATE_FEES } from '@tatami/contract/dues/late-fee-rule'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { owingApi } from '@tatami/contract/dues/owing'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { ApiError, progressProps } from '../lib/api.ts'
import { drafts } from '../lib/drafts.ts'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Loading } from '../ui/loading.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import type { UndoableAct } from '../ui/undo-bar.tsx'
import { LateFeeRuleDialog, type LateFeeRule } from './late-fee-rule-dialog.tsx'
import { LATE_FEE_RULE_DRAFT } from './owing-row.tsx'
import styles from './late-fees-dialog.module.css'
import kit from '../ui/kit.module.css'

type Props = { onClose: () => void; onCharged: (notice: UndoableAct) => void }

const MONTH_CHOICES = 12
const listRecentMonths = (): Month[] =>
  monthsFrom(addMonths(thisMonth(), 1 - MONTH_CHOICES), thisMonth()).toReversed()

const hasFee = ({ percent, amount }: LateFeeRule) => percent !== null || amount !== null

function describeRule(rule: LateFeeRule): string {
  const { grace_days, percent, amount } = rule
  if (!hasFee(rule)) return 'No late fees'
  const fee = percent === null ? formatMoney(amount) : `${formatPercent(percent)} of what is owed`
  return `${fee}, after ${pluralize(grace_days, 'day')}`
}

export function LateFeesDialog({ onClose, onCharged }: Props) {
  const [month, setMonth] = useState(thisMonth)
  const [skippedIds, setSkippedIds] = useState<readonly string[]>([])
  const [isEditing, setIsEditing] = useState(
    () => drafts.subjectOf(LATE_FEE_RULE_DRAFT) !== undefined,
  )
  const rule = useRetryingQuery(endpointQuery(owingApi.lateFeeRule))
  const lateFees = useRetryingQuery(endpointQuery(owingApi.lateFees, { query: month }))
  const charge = useChargeLateFees(onClose, onCharged, lateFees.retry)
  const checkedFees = (lateFees.data ?? []).filter(
    ({ student_id }) => !skippedIds.includes(student_id),
  )
  const total = formatMoney(sumDollars(checkedFees.map(({ fee }) => fee)))
  const submit = () => {
    const student_ids = checkedFees.map(({ student_id }) => student_id)
    charge.mutate({ body: { ...month, student_ids } })
  }
  if (isEditing)
    return (
      <LateFeeRuleDialog rule={rule.data ?? NO_LATE_FEES} onClose={() => setIsEditing(false)} />
    )
  return (
    <FormDialog
      onClose={onClose}
      title="Late Fees"
      onSubmit={(event) => {
        event.preventDefault()
        if (!charge.isPending && checkedFees.length > 0) submit()
      }}
      {...progressProps(charge, 'The late fees could not be charged. Please try again.')}
      submitLabel={
        checkedFees.length === 0
          ? 'Charge'
          : `Charge ${pluralize(checkedFees.length, 'student')} ${total}`
      }
      busyLabel="Charging..."
      isReady={checkedFees.length > 0}
    >
      <RuleRow rule={rule} onEdit={() => setIsEditing(true)} />
      <MonthSelect
        month={month}
        onChange={(newMonth) => {
          setMonth(newMonth)
          setSkippedIds([])
        }}
      />
      <Loading query={lateFees} error="The late fees could not be loaded.">
        <Skeletons count={3} height={56} label="Loading" />
      </Loading>
      {lateFees.data?.length === 0 && (
        <Text c="dimmed">{`No late fees for ${formatMonth(month)}.`}</Text>
      )}
      <FeeList fees={lateFees.data ?? []} skippedIds={skippedIds} onChange={setSkippedIds} />
      <Text c="dimmed">
        Not listed: students who are on trial or vacation, who promised to pay later, or who already
        have a late fee for this month.
      </Text>
    </FormDialog>
  )
}

type MonthProps = { month: Month; onChange: (month: Month) => void }

const MonthSelect = ({ month, onChange }: MonthProps) => (
  <NativeSelect
    label="Month"
    value={firstDayOf(month)}
    data={listRecentMonths().map((option) => ({
      value: firstDayOf(option),
      label: formatMonth(option),
    }))}
    onChange={(event) => onChange(monthOfDate(event.currentTarget.value))}
  />
)

type RuleProps = {
  rule: { data: LateFeeRule | undefined; isUnavailable: boolean; retry: () => void }
  onEdit: () => void
}

const RuleRow = ({ rule, onEdit }: RuleProps) => (
  <>
    <Loading query={rule} error="The late fee rule could not be loaded.">
      {null}
    </Loading>
    <div className={kit.spread}>
      <Text fw={600}>{rule.data ? describeRule(rule.data) : '\u00a0'}</Text>
      <WithRight right={owingApi.setLateFeeRule.right}>
        <Button variant="default" size="sm" disabled={!rule.data} onClick={onEdit}>
          {rule.data && !hasFee(rule.data) ? 'Set a rule' : 'Change the rule'}
        </Button>
      </WithRight>
    </div>
  </>
)

function useChargeLateFees(
  onClose: Props['onClose'],
  onCharged: Props['onCharged'],
  onOutdated: () => void,
) {
  return useEndpointMutation(owingApi.chargeLateFees, {
    refreshes: [owingApi.list, owingApi.lateFees, ledgerApi.balances, ledgerApi.account],
    onSuccess: ({ act_id: actId, students, total }) => {
      const message = `${pluralize(students, 'late fee')} charged, ${formatMoney(total)}`
      onCharged({ actId, message })
      onClose()
    },
    // 409: another instructor has already charged a student, or a student has paid.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) onOutdated()
    },
  })
}

type ListProps = {
  fees: Reply<typeof owingApi.lateFees>
  skippedIds: readonly string[]
  onChange: (skippedIds: string[]) => void
}

function FeeList({ fees, skippedIds, onChange }: ListProps) {
  if (fees.length === 0) return null
  const toggle = (id: string, isChecked: boolean) => {
    const otherIds = skippedIds.filter((skippedId) => skippedId !== id)
    onChange(isChecked ? otherIds : [...otherIds, id])
  }
  return (
    <ul className={`${kit.hairlines} ${styles.fees}`} aria-label="Students">
      {fees.map(({ student_id, name, owed, days_late, fee }) => (
        <li key={student_id}>
          <Checkbox
            size="md"
            checked={!skippedIds.includes(student_id)}
            onChange={(event) => toggle(student_id, event.currentTarget.checked)}
            label={name}
            description={`${formatMoney(owed)} owed, ${pluralize(days_late, 'day')} late`}
          />
          <span className={styles.fee}>{formatMoney(fee)}</span>
        </li>
      ))}
    </ul>
  )
}
