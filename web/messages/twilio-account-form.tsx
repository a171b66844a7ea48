import { Button, TextInput } from '@mantine/core'
import {
  type TextingSetup,
  textingAccountApi,
  textingAccountForm,
} from '@tatami/contract/texting/texting-account'
import { type ReactNode, useEffect, useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { hasFieldError } from '../accounts/server-checked-form.ts'
import { errorMessage } from '../lib/api.ts'
import { drafts, useDraft } from '../lib/drafts.ts'
import { serverErrors, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { SERVICE_CALLS } from '../texting/text-service.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Registration } from './registration.tsx'
import styles from './twilio-account.module.css'
import kit from '../ui/kit.module.css'

const INTRODUCTIONS: Record<TextingSetup['server_service'], string> = {
  twilio_sms:
    'Your texts go out through this server’s account. With your own account, they come from ' +
    'your own number, and you pay Twilio yourself.',
  simulator:
    'Twilio delivers texts to phones. Until you connect an account, no text leaves this server.',
  none: 'Twilio delivers texts to phones. Until you connect an account, your texts wait.',
}

const SIGN_UP_URL = 'https://www.twilio.com/try-twilio'
const CONSOLE_URL = 'https://console.twilio.com'

type Props = { setup: TextingSetup; onSaved: () => void; onCancel?: () => void }

export function TwilioAccountForm({ setup, onSaved, onCancel }: Props) {
  const { account, server_service } = setup
  const { form, save, needsPassword, submit } = useAccountForm(account, onSaved)
  return (
    <form noValidate onSubmit={submit} className={kit.stack}>
      {!account && (
        <>
          <p>{INTRODUCTIONS[server_service]}</p>
          <p>
            US carriers block texts from numbers that are not registered (A2P). Registering can take
            a few weeks, so start as soon as you have a number.
          </p>
          <Disclosure summary="Register with US carriers">
            <Registration />
          </Disclosure>
        </>
      )}
      <Steps form={form} isNew={account === null} />
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
          errorMessage(save.error, 'The account could not be saved. Please try again.')}
      </ErrorNotice>
      <div className={kit.row}>
        <BusyButton type="submit" busy={save.isPending} busyLabel="Checking with Twilio...">
          Check and save
        </BusyButton>
        {onCancel && (
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <p className={kit.note}>
        We check that the account and the number are yours, without texting anyone. We encrypt the
        auth token, and never show it again.
      </p>
    </form>
  )
}

type StepsProps = { form: AccountForm; isNew: boolean }

const Steps = ({ form, isNew }: StepsProps) => (
  <ol className={styles.steps}>
    {isNew && (
      <Step title="Get a Twilio account and a number">
        <p>
          <a href={SIGN_UP_URL} target="_blank" rel="noreferrer">
            Sign up at Twilio
          </a>
          , then buy a number that can send texts. Twilio bills you for the number and for each
          text.
        </p>
      </Step>
    )}
    <Step title="Copy these from the Twilio console">
      <p>
        <a href={CONSOLE_URL} target="_blank" rel="noreferrer">
          Open the console
        </a>
        . Both are on its first page, under “Account Info”.
      </p>
      <CredentialFields form={form} isNew={isNew} />
    </Step>
    <Step title="Enter the number that your texts come from">
      <TextInput
        {...form.getInputProps('sender')}
        label="Number"
        description="Or the SID of a messaging service, which starts with MG"
        autoComplete="off"
      />
    </Step>
  </ol>
)

function useAccountForm(account: TextingSetup['account'], onSaved: () => void) {
  const [needsPassword, setNeedsPassword] = useState(false)
  const form = useSchemaForm(textingAccountForm, {
    account_sid: account?.account_sid ?? '',
    auth_token: '',
    sender: account?.sender ?? '',
    current_password: '',
  })
  const save = useEndpointMutation(textingAccountApi.save, {
    refreshes: SERVICE_CALLS,
    waitsForRefresh: true,
    onSuccess: () => {
      form.resetDirty()
      onSaved()
    },
    onError: (error) => {
      if ('current_password' in serverErrors(error)) setNeedsPassword(true)
      form.showRefusal(error)
    },
  })
  // Must come before `useDraft`, which unregisters the form: this keeps the input for later.
  useEffect(() => () => drafts.storeOpenForms(), [])
  useDraft('twilio-account', form)
  const submit = form.send((body) => save.isPending || save.mutate({ body }))
  return { form, save, needsPassword, submit }
}

type AccountForm = ReturnType<typeof useAccountForm>['form']

const CredentialFields = ({ form, isNew }: StepsProps) => (
  <>
    <TextInput
      {...form.getInputProps('account_sid')}
      label="Account SID"
      description="Starts with AC"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
    <TextInput
      {...form.getInputProps('auth_token')}
      label="Auth token"
      description={
        isNew ? 'Press “Show” in the console to see it' : 'Leave it empty to keep the saved one'
      }
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  </>
)

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li>
    <div className={kit.stackSmall}>
      <h3 className={`${kit.titleSmall} ${kit.strong}`}>{title}</h3>
      {children}
    </div>
  </li>
)
