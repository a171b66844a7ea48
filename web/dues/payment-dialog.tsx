import type { Month } from '@tatami/contract/lib/calendar-day'
import {
  type Account,
  ledgerApi,
  newCharge,
  newPayment,
  newRefund,
  writeOff,
} from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { PAYMENT_DRAFT } from '../lib/student-drafts.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import {
  AccountSummary,
  ChargeFields,
  PaymentFields,
  RefundFields,
  WriteOffFields,
} from './payment-fields.tsx'
import {
  ACTS,
  type Act,
  fieldOf,
  initialValues,
  type MonthStanding,
  paymentTarget,
  refundables,
  type Wire,
  wireOf,
  wordsOf,
  writeOffs,
} from './payment-form.ts'
import type { Done } from './undo-bar.tsx'
import { LEDGER_READS } from './payment-reads.ts'
import { LoadingSheet } from '../ui/loading.tsx'

type Props = {
  student: Student
  /** The month that is looked at: a payment goes toward it first. */
  month: Month
  /** What that month costs, where it is not the student's fee. */
  price?: number | undefined
  standing: MonthStanding
  /** What the sheet begins with. */
  act?: Act
  /** It was opened to pay the month, whether something is due for it or not. */
  isForMonth?: boolean
  onClose: () => void
  onDone: (done: Done) => void
}

/** Money of one student: a payment of any amount, another charge, a refund, a write-off. */
export function PaymentDialog(props: Props) {
  const { student, onClose } = props
  // What is owed may have changed since it was looked at last.
  const account = useRetryingQuery({
    ...endpointQuery(ledgerApi.account, { params: { id: student.id } }),
    refetchOnMount: 'always',
  })
  if (account.data && account.isFetchedAfterMount)
    return <AccountForm {...props} account={account.data} />
  return (
    <LoadingSheet
      title={student.name}
      of={account}
      failed="The account could not be loaded."
      label="Loading the account..."
      onClose={onClose}
    />
  )
}

const SCHEMAS = { payment: newPayment, charge: newCharge, refund: newRefund, write_off: writeOff }
/** The rules are those of what the form sends. */
const schema = {
  safeParse: (wire: unknown) => SCHEMAS[(wire as Wire).act].safeParse((wire as Wire).body),
}
const submitOf = (act: Act) => ACTS.find(({ value }) => value === act)!.submit

function AccountForm({
  student,
  month,
  price,
  standing,
  act: first = 'payment',
  isForMonth = false,
  account,
  onClose,
  onDone,
}: Props & { account: Account }) {
  // What is offered does not change while one types: it is of the moment at which the sheet opened.
  const [opened] = useState(account)
  const target = paymentTarget(
    opened,
    month,
    price ?? student.monthly_payment_amount ?? 0,
    standing,
  )
  const [initial] = useState(() => initialValues(first, student, opened, target, isForMonth))
  const form = useSchemaForm(
    schema,
    initial,
    (values) => wireOf(values, student.id, target),
    fieldOf,
  )
  const { act } = form.values
  // To look at another act changes nothing that was typed.
  const isDirty = () => Object.keys(initial).some((field) => field !== 'act' && form.isDirty(field))
  useDraft(PAYMENT_DRAFT, { ...form, isDirty }, student.id)
  const after = {
    refreshes: LEDGER_READS,
    onSuccess: ({ act_id: actId }: { act_id: string }) => {
      onDone({
        actId,
        ...wordsOf(form.values, student, opened, target),
        ...(act === 'payment' && { studentId: student.id }),
      })
      onClose()
    },
    onError: form.showRefusal,
  }
  const calls = {
    payment: useEndpointMutation(ledgerApi.pay, after),
    charge: useEndpointMutation(ledgerApi.charge, after),
    refund: useEndpointMutation(ledgerApi.refund, after),
    write_off: useEndpointMutation(ledgerApi.writeOff, after),
  }
  const { error } = calls[act]
  const chooseAct = (chosen: Act) => {
    form.clearErrors()
    form.setFieldValue('act', chosen)
  }
  const isBusy = Object.values(calls).some(({ isPending }) => isPending)
  // The form has checked that nothing is missing in them.
  const send = (wire: Wire) => {
    if (isBusy) return
    if (wire.act === 'payment') calls.payment.mutate({ body: newPayment.parse(wire.body) })
    else if (wire.act === 'charge') calls.charge.mutate({ body: newCharge.parse(wire.body) })
    else if (wire.act === 'refund') calls.refund.mutate({ body: newRefund.parse(wire.body) })
    else calls.write_off.mutate({ params: { id: wire.id }, body: wire.body })
  }
  const offered = ACTS.filter(
    ({ value }) =>
      (value !== 'refund' || refundables(opened).length > 0) &&
      (value !== 'write_off' || writeOffs(opened).length > 0),
  )
  return (
    <FormDialog
      onClose={onClose}
      title={student.name}
      onSubmit={form.send(send)}
      busy={isBusy}
      unsent={isDirty()}
      error={
        error &&
        errorMessage(
          error,
          'This could not be saved. What you entered is still here: please try again.',
        )
      }
      submit={submitOf(act)}
      submitting="Saving..."
    >
      <AccountSummary student={student} account={opened} />
      <ChoiceBar label="What to enter" choices={offered} value={act} onChange={chooseAct} />
      {act === 'payment' && <PaymentFields form={form} target={target} />}
      {act === 'charge' && <ChargeFields form={form} />}
      {act === 'refund' && <RefundFields form={form} account={opened} />}
      {act === 'write_off' && <WriteOffFields form={form} account={opened} />}
    </FormDialog>
  )
}
