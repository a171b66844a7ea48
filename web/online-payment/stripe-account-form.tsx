import { Button, TextInput } from '@mantine/core'
import { onlinePaymentApi, stripeAccountForm } from '@tatami/contract/online-payment/online-payment'
import { useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { hasFieldError } from '../accounts/server-checked-form.ts'
import { errorMessage } from '../lib/api.ts'
import { serverErrors, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import kit from '../ui/kit.module.css'

const SIGN_UP_URL = 'https://dashboard.stripe.com/register'
const KEYS_URL = 'https://dashboard.stripe.com/apikeys'
const PERMISSIONS =
  'Write: Customers, Checkout Sessions, PaymentIntents, SetupIntents, PaymentMethods, Charges and ' +
  'Refunds, Webhook Endpoints. Read: Disputes, Balance transactions, Events.'

type Props = { onSaved: () => void; onCancel?: () => void }

/** The key is not kept as a draft, because it opens the school's Stripe account. */
export function StripeAccountForm({ onSaved, onCancel }: Props) {
  const { form, save, needsPassword, submit } = useAccountForm(onSaved)
  return (
    <form noValidate onSubmit={submit} className={kit.stack}>
      <p>
        Families pay by card or bank account, and the money goes straight to your school’s own
        Stripe account. Stripe charges you a fee for each payment; Tatami charges nothing.
      </p>
      <p>
        <a href={SIGN_UP_URL} target="_blank" rel="noreferrer">
          Open a Stripe account
        </a>
        , or use the one you have. Then{' '}
        <a href={KEYS_URL} target="_blank" rel="noreferrer">
          create a restricted key
        </a>{' '}
        with these permissions. {PERMISSIONS}
      </p>
      <TextInput
        {...form.getInputProps('secret_key')}
        label="Restricted key"
        description="Starts with rk_live_, or rk_test_ to try it without real money"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {needsPassword && (
        <PasswordField
          {...form.getInputProps('current_password')}
          label="Your Tatami password"
          description="We ask because you logged in a while ago"
          autoComplete="current-password"
        />
      )}
      <ErrorNotice>
        {save.isError &&
          !hasFieldError(form) &&
          errorMessage(save.error, 'The key could not be saved. Please try again.')}
      </ErrorNotice>
      <div className={kit.row}>
        <BusyButton type="submit" busy={save.isPending} busyLabel="Checking with Stripe...">
          Check and save
        </BusyButton>
        {onCancel && (
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <p className={kit.note}>We encrypt the key, and never show it again.</p>
    </form>
  )
}

function useAccountForm(onSaved: () => void) {
  const [needsPassword, setNeedsPassword] = useState(false)
  const form = useSchemaForm(stripeAccountForm, { secret_key: '', current_password: '' })
  const save = useEndpointMutation(onlinePaymentApi.saveAccount, {
    refreshes: [onlinePaymentApi.setUp, onlinePaymentApi.status],
    waitsForRefresh: true,
    onSuccess: onSaved,
    onError: (error) => {
      if ('current_password' in serverErrors(error)) setNeedsPassword(true)
      form.showRefusal(error)
    },
  })
  const submit = form.send((body) => save.isPending || save.mutate({ body }))
  return { form, save, needsPassword, submit }
}
