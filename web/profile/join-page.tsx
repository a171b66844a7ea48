import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { joinForm, profileApi } from '@tatami/contract/profile'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { EmailField } from '../accounts/email-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'
import { ApiError, errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { useSignIn } from './use-sign-in.ts'
import { VisitorPage } from './visitor-page.tsx'

/** The page of an invitation, where a student creates an account and is signed in. */
export function JoinPage() {
  const { code = '' } = useParams()
  const { data, error } = useQuery(endpointQuery(profileApi.invited, { query: { invite_code: code } }))
  // Without an answer the form is shown anyway; submitting it reports the error.
  const refusal = error instanceof ApiError && error.status < 500 && error.detail
  return (
    <VisitorPage title="Join your dojo">
      <Stack gap="md">
        {refusal ? (
          <>
            <ErrorNotice>{refusal}</ErrorNotice>
            <Text>Ask your instructor for a new invitation.</Text>
          </>
        ) : (
          <>
            <Text fw={650} size="lg" mih="1lh" lineClamp={2}>
              {data?.dojo_name}
            </Text>
            <JoinForm invitation={code} />
          </>
        )}
        <Anchor href="/login" ta="center" py="sm">
          I can log in already
        </Anchor>
      </Stack>
    </VisitorPage>
  )
}

function JoinForm({ invitation: invite_code }: { invitation: string }) {
  const form = useSchemaForm(joinForm, { name: '', email: '', password: '' }, (values) => ({ ...values, invite_code }))
  const join = useEndpointMutation(profileApi.join, { onSuccess: useSignIn(), onError: form.showRefusal })
  return (
    <form noValidate onSubmit={form.send((body) => join.isPending || join.mutate({ body }))}>
      <Stack gap="md">
        <Text>Your instructor invited you. Choose how you want to log in; they add the rest.</Text>
        <TextInput {...form.getInputProps('name')} label="Name" autoComplete="name" autoCapitalize="words" />
        <EmailField {...form.getInputProps('email')} description="You log in with it" />
        <PasswordField
          {...form.getInputProps('password')}
          label="Password"
          description="At least 8 characters"
          autoComplete="new-password"
        />
        <ErrorNotice>{join.error && errorMessage(join.error, 'Registration failed')}</ErrorNotice>
        <BusyButton type="submit" fullWidth busy={join.isPending} busyLabel="Joining...">
          Join
        </BusyButton>
      </Stack>
    </form>
  )
}
