import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { cleanMoneyInput, formatMoney, isAmount, parseMoney } from '@tatami/contract/lib/money'
import { ordinal } from '@tatami/contract/lib/ordinal'
import { autopayWords } from '@tatami/contract/online-payment/autopay-words'
import {
  autopayForm,
  type PayerHome,
  payerHomeApi,
} from '@tatami/contract/online-payment/payer-home'
import { progressProps } from '../lib/api.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Warning } from '../ui/notices.tsx'
import styles from './payer-panel.module.css'
import kit from '../ui/kit.module.css'

type Values = { day_of_month: string; limit: string; is_agreed: boolean; pays_now: boolean }

const DAYS = Array.from({ length: 31 }, (_, index) => ({
  value: String(index + 1),
  label: ordinal(index + 1),
}))

const limitOf = ({ limit }: Values): number | null =>
  limit === '' ? null : (parseMoney(limit) ?? null)

/** A text that is no amount is no limit yet. */
const validLimitOf = (values: Values): number | null =>
  isAmount(values.limit) ? limitOf(values) : null

const isBelowMonth = ({ terms }: PayerHome, values: Values): boolean => {
  const limit = validLimitOf(values)
  return limit !== null && limit < terms.usual_amount
}

/** Exactly what the server keeps as the words of the agreement. */
const wordsOf = ({ terms }: PayerHome, values: Values): string =>
  autopayWords({
    school: terms.school,
    students: terms.students,
    usualAmount: terms.usual_amount,
    dayOfMonth: Number(values.day_of_month),
    limit: validLimitOf(values),
  })

const initialValues = ({ autopay, owed }: PayerHome): Values => ({
  day_of_month: String(autopay?.day_of_month ?? 1),
  limit: autopay?.limit == null ? '' : String(autopay.limit),
  // Never preset: only the payer's own tick is an agreement.
  is_agreed: false,
  pays_now: autopay === null && owed > 0,
})

export function AutopayDialog({ home, onClose }: { home: PayerHome; onClose: () => void }) {
  const form = useSchemaForm(autopayForm, initialValues(home), (values: Values) => ({
    day_of_month: Number(values.day_of_month),
    limit: limitOf(values),
    is_agreed: values.is_agreed as true,
    words: wordsOf(home, values),
    ...(values.pays_now && { pays_amount: home.owed }),
  }))
  const agree = useEndpointMutation(payerHomeApi.agree, {
    refreshes: [payerHomeApi.home],
    onSuccess: ({ url }) => (url === null ? onClose() : location.assign(url)),
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={home.autopay ? 'Change autopay' : 'Set up autopay'}
      onClose={onClose}
      onSubmit={form.send((body) => agree.isPending || agree.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(agree, 'This did not work. Please try again.')}
      submitLabel={home.method ? 'Agree' : 'Agree and continue'}
      busyLabel="Saving..."
    >
      {!home.method && home.owed > 0 && (
        <Checkbox
          label={`Also pay the ${formatMoney(home.owed)} that I owe now`}
          {...form.getInputProps('pays_now', { type: 'checkbox' })}
        />
      )}
      <Disclosure summary="Day and limit" startsOpen={home.autopay !== null}>
        <div className={kit.stack}>
          <NativeSelect
            label="Day of the month"
            data={DAYS}
            {...form.getInputProps('day_of_month')}
          />
          <TextInput
            label="Never more than (optional)"
            inputMode="decimal"
            placeholder="No limit"
            {...form.getInputProps('limit')}
            onChange={(event) =>
              form.setFieldValue('limit', cleanTypedText(event, cleanMoneyInput))
            }
          />
        </div>
      </Disclosure>
      {isBelowMonth(home, form.values) && (
        <Warning>
          Your limit is less than a month, which is about {formatMoney(home.terms.usual_amount)}.
          Autopay then charges nothing, and we ask you to pay.
        </Warning>
      )}
      <p className={`${kit.muted} ${styles.words}`}>{wordsOf(home, form.values)}</p>
      <Checkbox
        label="I agree to this"
        {...form.getInputProps('is_agreed', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
