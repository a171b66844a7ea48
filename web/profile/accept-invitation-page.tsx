import { Button, Stack, Text } from '@mantine/core'
import { invitationAcceptance, profileApi } from '@tatami/contract/profile/profile'
import { useQuery } from '@tanstack/react-query'
import { call, errorMessage, failureMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ChoosePasswordForm } from '../accounts/choose-password-form.tsx'
import { useLinkSecret } from './reset-password-form.tsx'
import { useSignIn } from './use-sign-in.ts'
import { SchoolPage } from '../accounts/school-page.tsx'

export function AcceptInvitationPage() {
  const secret = useLinkSecret()
  const invitation = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => call(profileApi.lookUpInvitation, { body: { invitation: secret } }),
    enabled: secret !== '',
  })
  return (
    <SchoolPage
      title={invitation.data ? `Welcome to ${invitation.data.dojo_name}` : 'Welcome'}
      school={invitation.data}
    >
      <Stack gap="md">
        {!secret && <ErrorNotice>Please open the link in your invitation again.</ErrorNotice>}
        {secret && invitation.isPending && <Skeletons count={2} label="Loading" />}
        {invitation.isError && (
          <>
            <ErrorNotice onRetry={() => void invitation.refetch()}>
              {errorMessage(invitation.error, 'The invitation could not be loaded.')}
            </ErrorNotice>
            <Text>Ask your instructor for a new invitation.</Text>
          </>
        )}
        {invitation.data && <AcceptForm secret={secret} invitedPerson={invitation.data} />}
        <Button component="a" href="/login" variant="subtle" fullWidth>
          I already have a login
        </Button>
      </Stack>
    </SchoolPage>
  )
}

type InvitedPerson = { dojo_name: string; name: string; email: string; is_guardian: boolean }

const FOR_STUDENTS = ' to see your classes, attendance and belt'
const FOR_GUARDIANS = ' to see your children’s classes, attendance and news'

type AcceptFormProps = { secret: string; invitedPerson: InvitedPerson }

function AcceptForm({
  secret,
  invitedPerson: { dojo_name, name, email, is_guardian },
}: AcceptFormProps) {
  const form = useSchemaForm(invitationAcceptance, { password: '' }, (values) => ({
    ...values,
    invitation: secret,
  }))
  const accept = useEndpointMutation(profileApi.acceptInvitation, {
    onSuccess: useSignIn(),
    onError: form.showRefusal,
  })
  return (
    <ChoosePasswordForm
      onSubmit={form.send((body) => accept.isPending || accept.mutate({ body }))}
      label="Choose a password"
      inputProps={form.getInputProps('password')}
      ownNames={[name, email, dojo_name]}
      busy={accept.isPending}
      error={failureMessage(accept, 'Your login could not be created. Please try again.')}
      submitLabel="Log in"
      busyLabel="Logging in..."
    >
      <Text>
        Hello {name}. {dojo_name} invites you{is_guardian ? FOR_GUARDIANS : FOR_STUDENTS}. You’ll
        log in as <b>{email}</b>.
      </Text>
    </ChoosePasswordForm>
  )
}
