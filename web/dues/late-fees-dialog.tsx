import {
  firstDayOf,
  type Month,
  monthOfDate,
  addMonths,
  monthsFrom,
} from '@tatami/contract/lib/calendar-day'
import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Button, Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import { NO_LATE_FEES } from '@tatami/contract/dues/late-fee-rule'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { owingApi } from '@tatami/contract/dues/owing'
import { useState } from 'react'
import { ApiError, errorMessage } from '../lib/api.ts'
import { drafts } from '../lib/drafts.ts'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import type { UndoableAct } from '../ui/undo-bar.tsx'
import { LATE_FEE_RULE_DRAFT, LateFeeRuleDialog, type Rule } from './late-fee-rule-dialog.tsx'
import styles from './late-fees-dialog.module.css'
import kit from '../ui/kit.module.css'

type Props = { onClose: () => void; onCharged: (done: UndoableAct) => void }

const MONTHS_BACK = 12
/** This month and those before it, as they are chosen from. */
const recentMonths = (): Month[] =>
  monthsFrom(addMonths(thisMonth(), 1 - MONTHS_BACK), thisMonth()).toReversed()

/** "10 % of what is owed, from the 6th on" */
const ruleText = ({ grace_days, percent, amount }: Rule) =>
  `${percent === null ? formatMoney(amount) : `${percent} % of what is owed`}, after ${pluralize(grace_days, 'day')}`

/** Shows whom a month's late fee would be charged, by the dojo's rule, and charges those who are chosen. */
export function LateFeesDialog({ onClose, onCharged }: Props) {
  const [month, setMonth] = useState(thisMonth)
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const [isEditing, setIsEditing] = useState(
    () => drafts.subjectOf(LATE_FEE_RULE_DRAFT) !== undefined,
  )
  const rule = useRetryingQuery(endpointQuery(owingApi.lateFeeRule))
  const due = useRetryingQuery(endpointQuery(owingApi.lateFees, { query: month }))
  const charge = useEndpointMutation(owingApi.chargeLateFees, {
    refreshes: [owingApi.list, owingApi.lateFees, ledgerApi.balances, ledgerApi.account],
    onSuccess: ({ act_id: actId, students, total }) => {
      onCharged({
        actId,
        words: `${pluralize(students, 'late fee')} charged, ${formatMoney(total)}`,
      })
      onClose()
    },
    // Another instructor has charged some, or somebody has paid: the list says who is left.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) due.retry()
    },
  })
  const fees = (due.data ?? []).filter(({ student_id }) => !skipped.has(student_id))
  const hasRule = rule.data && (rule.data.percent !== null || rule.data.amount !== null)
  const toggle = (id: string, isChosen: boolean) =>
    setSkipped((before) => {
      const after = new Set(before)
      if (isChosen) after.delete(id)
      else after.add(id)
      return after
    })
  if (isEditing)
    return (
      <LateFeeRuleDialog rule={rule.data ?? NO_LATE_FEES} onClose={() => setIsEditing(false)} />
    )
  return (
    <Sheet
      opened
      onClose={onClose}
      busy={charge.isPending}
      title="Late Fees"
      onSubmit={(event) => {
        event.preventDefault()
        if (!charge.isPending && fees.length > 0)
          charge.mutate({
            body: { ...month, student_ids: fees.map(({ student_id }) => student_id) },
          })
      }}
      actions={
        <>
          {charge.error && (
            <div className={styles.error}>
              <ErrorNotice>
                {errorMessage(
                  charge.error,
                  'The late fees could not be charged. Please try again.',
                )}
              </ErrorNotice>
            </div>
          )}
          <CancelButton />
          <BusyButton
            type="submit"
            busy={charge.isPending}
            busyLabel="Charging..."
            disabled={fees.length === 0}
          >
            {fees.length === 0
              ? 'Charge'
              : `Charge ${pluralize(fees.length, 'student')} ${formatMoney(sumDollars(fees.map(({ fee }) => fee)))}`}
          </BusyButton>
        </>
      }
    >
      <Stack gap="md">
        {rule.isUnavailable && (
          <ErrorNotice onRetry={rule.retry}>
            The rule for late fees could not be loaded.
          </ErrorNotice>
        )}
        <div className={kit.spread}>
          <Text fw={600}>
            {rule.data ? (hasRule ? ruleText(rule.data) : 'No late fees') : '\u00a0'}
          </Text>
          <Button
            variant="default"
            size="sm"
            disabled={!rule.data}
            onClick={() => setIsEditing(true)}
          >
            {hasRule === false ? 'Set a rule' : 'Change the rule'}
          </Button>
        </div>
        <NativeSelect
          label="Month"
          value={firstDayOf(month)}
          data={recentMonths().map((one) => ({ value: firstDayOf(one), label: formatMonth(one) }))}
          onChange={(event) => {
            setMonth(monthOfDate(event.currentTarget.value))
            setSkipped(new Set())
          }}
        />
        {due.isUnavailable && (
          <ErrorNotice onRetry={due.retry}>
            Who would be charged could not be worked out.
          </ErrorNotice>
        )}
        {due.isPending && <Skeletons count={3} height={56} label="Loading" />}
        {due.data?.length === 0 && (
          <Text c="dimmed">
            {hasRule
              ? `Nobody is to be charged for ${formatMonth(month)}.`
              : 'Without a rule nobody is charged.'}
          </Text>
        )}
        {due.data && due.data.length > 0 && (
          <ul className={styles.fees} aria-label="Students">
            {due.data.map(({ student_id, name, owed, days_late, fee }) => (
              <li key={student_id}>
                <Checkbox
                  size="md"
                  checked={!skipped.has(student_id)}
                  onChange={(event) => toggle(student_id, event.currentTarget.checked)}
                  label={name}
                  description={`${formatMoney(owed)} owed, ${pluralize(days_late, 'day')} late`}
                />
                <span className={styles.fee}>{formatMoney(fee)}</span>
              </li>
            ))}
          </ul>
        )}
        <Text c="dimmed">
          Not listed: students who are on trial, on vacation, have promised to pay by a later day,
          or already have a late fee for this month.
        </Text>
      </Stack>
    </Sheet>
  )
}
