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
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { call, progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
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
  ACTIONS,
  describeResult,
  findFormField,
  getInitialValues,
  type LedgerAction,
  type MonthStatus,
  type PaymentRequest,
  findPaymentTarget,
  listRefundOptions,
  SUBMIT_LABELS,
  toRequest,
  listWriteOffOptions,
} from './payment-form.ts'
import type { LedgerNotice } from './undo-bar.tsx'
import { refreshLedger } from './payment-reads.ts'
import { LoadingSheet } from '../ui/loading.tsx'

type Props = {
  student: Student
  /** The selected month. A payment covers it first. */
  month: Month
  price?: number | undefined
  monthStatus: MonthStatus
  action?: LedgerAction
  isForMonth?: boolean
  /** The part of the credit to suggest as the refund, such as what the end of a plan gave back. */
  creditToRefund?: number
  onClose: () => void
  onDone: (notice: LedgerNotice) => void
}

export function PaymentDialog(props: Props) {
  const { student, onClose } = props
  const account = useRetryingQuery({
    ...endpointQuery(ledgerApi.account, { params: { id: student.id } }),
    refetchOnMount: 'always',
  })
  if (account.data && account.isFetchedAfterMount)
    return <AccountForm {...props} account={account.data} />
  return (
    <LoadingSheet
      title={student.name}
      query={account}
      error="The account could not be loaded."
      label="Loading the account..."
      onClose={onClose}
    />
  )
}

const SCHEMAS = { payment: newPayment, charge: newCharge, refund: newRefund, write_off: writeOff }
const requestSchema = {
  safeParse: (request: unknown) => {
    const { action, body } = request as PaymentRequest
    return SCHEMAS[action].safeParse(body)
  },
}

/** Parsing cannot fail here, because the form has already checked the body with these schemas. */
function sendRequest(request: PaymentRequest) {
  const { action, body } = request
  if (action === 'payment') return call(ledgerApi.pay, { body: newPayment.parse(body) })
  if (action === 'charge') return call(ledgerApi.charge, { body: newCharge.parse(body) })
  if (action === 'refund') return call(ledgerApi.refund, { body: newRefund.parse(body) })
  return call(ledgerApi.writeOff, { params: { id: request.id }, body: request.body })
}

type FormProps = Props & { account: Account }

function useAccountForm(props: FormProps) {
  const { student, month, price, monthStatus, isForMonth = false, creditToRefund } = props
  // Keeps the first account, so that the choices do not change while the instructor types.
  const [account] = useState(props.account)
  const monthPrice = price ?? student.monthly_payment_amount ?? 0
  const target = findPaymentTarget(account, month, monthPrice, monthStatus)
  const [initialValues] = useState(() =>
    getInitialValues(
      props.action ?? 'payment',
      student,
      account,
      target,
      isForMonth,
      creditToRefund,
    ),
  )
  const form = useSchemaForm(
    requestSchema,
    initialValues,
    (values) => toRequest(values, student.id, target),
    findFormField,
  )
  const isDirty = () =>
    Object.keys(initialValues).some((field) => field !== 'action' && form.isDirty(field))
  useDraft(PAYMENT_DRAFT, { ...form, isDirty }, student.id)
  return { account, target, form, isDirty }
}

function AccountForm(props: FormProps) {
  const { student, onClose, onDone } = props
  const { account, target, form, isDirty } = useAccountForm(props)
  const { action } = form.values
  const mayGiveBack = useCan()('money.give_back')
  const cache = useQueryClient()
  const save = useMutation({
    mutationFn: sendRequest,
    onSuccess: ({ act_id: actId }) => {
      refreshLedger(cache)
      onDone({
        actId,
        ...describeResult(form.values, student, account, target),
        ...(action === 'payment' && { studentId: student.id }),
      })
      onClose()
    },
    onError: (error) => form.showRefusal(error),
  })
  const changeAction = (newAction: LedgerAction) => {
    save.reset()
    form.clearErrors()
    form.setFieldValue('action', newAction)
  }
  const refunds = listRefundOptions(account)
  const writeOffs = listWriteOffOptions(account)
  const isAvailable: Record<LedgerAction, boolean> = {
    payment: true,
    charge: true,
    refund: mayGiveBack && refunds.length > 0,
    write_off: mayGiveBack && writeOffs.length > 0,
  }
  return (
    <FormDialog
      onClose={onClose}
      title={student.name}
      onSubmit={form.send((request) => save.isPending || save.mutate(request))}
      isDirty={isDirty()}
      {...progressProps(save, 'This could not be saved. Your entries are still here: try again.')}
      submitLabel={SUBMIT_LABELS[action]}
      busyLabel="Saving..."
    >
      <AccountSummary student={student} account={account} />
      <ChoiceBar
        label="What to enter"
        choices={ACTIONS.filter(({ value }) => isAvailable[value])}
        value={action}
        onChange={changeAction}
      />
      {action === 'payment' && (
        <PaymentFields form={form} target={target} onItsWay={account.on_its_way} />
      )}
      {action === 'charge' && <ChargeFields form={form} />}
      {action === 'refund' && <RefundFields form={form} options={refunds} />}
      {action === 'write_off' && <WriteOffFields form={form} options={writeOffs} />}
    </FormDialog>
  )
}
