import { Button, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SignInStep } from '@tatami/contract/accounts/accounts'
import { profileApi } from '@tatami/contract/profile/profile'
import { signInApi } from '@tatami/contract/accounts/sign-in'
import { useState } from 'react'
import { useSchemaForm } from '../lib/form.ts'
import { canUsePasskeys } from '../lib/passkeys.ts'
import { endpointQuery, endpointKey, useEndpointMutation } from '../lib/query.ts'
import { ChoosePasswordForm } from './choose-password-form.tsx'
import { logout } from './logout.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { AuthenticatorSetUp, useAuthenticatorSetUp } from './authenticator-set-up.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SERVER_CHECKED_SCHEMA, serverCheckedProgress } from './server-checked-form.ts'
import { guessDeviceName, describePasskeyError, useAddPasskey } from './use-add-passkey.ts'
import { VisitorPage } from './visitor-page.tsx'

const TITLES = {
  'choose-password': 'Choose your own password',
  'set-up-second-factor': 'Make your login safer',
} as const
const STEPS = {
  'choose-password': ChooseOwnPassword,
  'set-up-second-factor': SetUpSecondFactor,
} as const

export function SignInStepPage({ step }: { step: SignInStep }) {
  const cache = useQueryClient()
  const Step = STEPS[step]
  return (
    <VisitorPage title={TITLES[step]}>
      <Stack gap="md">
        <Step
          onDone={() => void cache.invalidateQueries({ queryKey: [endpointKey(profileApi.show)] })}
        />
        <Button variant="subtle" fullWidth onClick={() => void logout()}>
          Logout
        </Button>
      </Stack>
    </VisitorPage>
  )
}

function ChooseOwnPassword({ onDone }: { onDone: () => void }) {
  const form = useSchemaForm(SERVER_CHECKED_SCHEMA, { new_password: '' })
  const choose = useEndpointMutation(signInApi.chooseOwnPassword, {
    onSuccess: onDone,
    onError: form.showRefusal,
  })
  return (
    <ChoosePasswordForm
      onSubmit={form.send((body) => choose.isPending || choose.mutate({ body }))}
      {...serverCheckedProgress(form, choose, 'The password could not be set. Please try again.')}
      label="New password"
      inputProps={form.getInputProps('new_password')}
      submitLabel="Set password"
      busyLabel="Saving..."
    >
      <Text>The admin team set a password for you. Choose one that only you know.</Text>
    </ChoosePasswordForm>
  )
}

const NewRecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => (
  <>
    <RecoveryCodes codes={codes} />
    <Button fullWidth onClick={onDone}>
      I saved them
    </Button>
  </>
)

function SetUpSecondFactor({ onDone }: { onDone: () => void }) {
  const methods = useQuery(endpointQuery(signInApi.methods))
  const [usesApp, setUsesApp] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  const showCodesOrFinish = (recoveryCodes: string[]) =>
    recoveryCodes.length > 0 ? setCodes(recoveryCodes) : onDone()
  const setUp = useAuthenticatorSetUp(showCodesOrFinish)
  const addPasskey = useAddPasskey({
    onSuccess: ({ recovery_codes }) => showCodesOrFinish(recovery_codes),
  })
  if (codes) return <NewRecoveryCodes codes={codes} onDone={onDone} />
  if (usesApp)
    return (
      <AuthenticatorSetUp setUp={setUp}>
        <BusyButton type="submit" fullWidth busy={setUp.submission.busy} busyLabel="Checking...">
          Turn on
        </BusyButton>
      </AuthenticatorSetUp>
    )
  if (!methods.data)
    return methods.isError ? (
      <ErrorNotice onRetry={() => void methods.refetch()}>The server didn’t answer.</ErrorNotice>
    ) : (
      <Skeletons count={2} label="Loading..." />
    )
  const offersPasskey = canUsePasskeys() && location.hostname === methods.data.passkey_host
  return (
    <>
      <Text>
        Your account needs more than a password. Set up{' '}
        {offersPasskey ? 'one of these' : 'an authenticator app on your phone'}. It takes a minute.
      </Text>
      {offersPasskey && (
        <BusyButton
          fullWidth
          busy={addPasskey.isPending}
          busyLabel="Waiting for your device..."
          onClick={() => addPasskey.mutate({ name: guessDeviceName() })}
        >
          Add a passkey
        </BusyButton>
      )}
      <ErrorNotice>{addPasskey.isError && describePasskeyError(addPasskey.error)}</ErrorNotice>
      <Button
        variant={offersPasskey ? 'default' : 'filled'}
        fullWidth
        onClick={() => setUsesApp(true)}
      >
        Use an authenticator app
      </Button>
    </>
  )
}
