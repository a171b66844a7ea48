import { Button, Stack, TextInput } from '@mantine/core'
import {
  newStaffLogin,
  type StaffInvitationDetails,
  staffInvitationsApi,
} from '@tatami/contract/staff/staff-invitations'
import { PRESETS, RIGHTS } from '@tatami/contract/rights'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ChoosePasswordForm } from '../accounts/choose-password-form.tsx'
import { VisitorPage } from '../accounts/visitor-page.tsx'
import { call, errorMessage, failureMessage } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { PATHS } from '../lib/paths.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { session } from '../lib/session.ts'
import { useLinkSecret } from '../profile/reset-password-form.tsx'
import { useSignIn } from '../profile/use-sign-in.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { SchoolMark } from '../ui/school-mark.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

/** Opens from the link in an invitation to join the staff. */
export function JoinStaffPage() {
  const secret = useLinkSecret()
  const invitation = useQuery({
    queryKey: ['staff-invitation', secret],
    queryFn: () => call(staffInvitationsApi.lookUp, { body: { invitation: secret } }),
    enabled: secret !== '',
    retry: false,
  })
  return (
    <VisitorPage title={invitation.data ? `Join ${invitation.data.dojo_name}` : 'Join the staff'}>
      <Stack gap="md">
        {!secret && <ErrorNotice>Please open the link in your invitation again.</ErrorNotice>}
        {secret && invitation.isPending && <Skeletons count={2} label="Loading" />}
        {invitation.isError && (
          <>
            <ErrorNotice onRetry={() => void invitation.refetch()}>
              {errorMessage(invitation.error, 'The invitation could not be loaded.')}
            </ErrorNotice>
            <p>Ask the school for a new invitation.</p>
          </>
        )}
        {invitation.data && <InvitationDetails secret={secret} details={invitation.data} />}
      </Stack>
    </VisitorPage>
  )
}

type InvitationProps = { secret: string; details: StaffInvitationDetails }

function InvitationDetails({ secret, details }: InvitationProps) {
  const { dojo_name, name, rights, preset, title, class_names: classNames, starts_on } = details
  const isLoggedIn = session.token() !== null
  return (
    <>
      <SchoolMark look={details} name={dojo_name} />
      <p>
        Hello {name}. {dojo_name} invites you to its staff
        {(title ?? preset) && ` as ${title ?? (preset && PRESETS[preset].name.toLowerCase())}`}
        {starts_on && `, starting ${formatDate(starts_on)}`}.
      </p>
      <Disclosure summary="What you can do">
        <ul>
          {rights.map((right) => (
            <li key={right}>{`You can ${RIGHTS[right].allows}.`}</li>
          ))}
          {classNames && <li>{`Only in your classes: ${classNames.join(', ')}.`}</li>}
        </ul>
      </Disclosure>
      {isLoggedIn && <JoinWithLogin secret={secret} />}
      {!isLoggedIn && details.has_login && <LogInFirst secret={secret} email={details.email} />}
      {!isLoggedIn && !details.has_login && <NewLogin secret={secret} details={details} />}
    </>
  )
}

/** Lets a parent or student join the staff with their current login. */
function JoinWithLogin({ secret }: { secret: string }) {
  const join = useEndpointMutation(staffInvitationsApi.join, {
    onSuccess: () => location.assign(PATHS.dashboard),
  })
  return (
    <>
      <p>You are logged in. Join with this login?</p>
      <ErrorNotice>
        {failureMessage(join, 'You could not be added to the staff. Please try again.')}
      </ErrorNotice>
      <BusyButton
        fullWidth
        busy={join.isPending}
        busyLabel="Joining..."
        onClick={() => join.mutate({ body: { invitation: secret } })}
      >
        Join the staff
      </BusyButton>
    </>
  )
}

const LogInFirst = ({ secret, email }: { secret: string; email: string | null }) => (
  <>
    <p>{email} already has a login here. Log in with it, and you can use it for the staff, too.</p>
    <Button component={Link} to="/login" state={returnHere(secret)} fullWidth>
      Log in
    </Button>
  </>
)

const returnHere = (secret: string) => ({
  requestedLocation: { pathname: PATHS.joinStaff, search: '', hash: `#${secret}` },
})

function NewLogin({ secret, details: { name, email, dojo_name } }: InvitationProps) {
  const form = useSchemaForm(newStaffLogin, { email: '', password: '' }, (values) => ({
    invitation: secret,
    password: values.password,
    email: email ? undefined : values.email,
  }))
  const signIn = useSignIn()
  const accept = useEndpointMutation(staffInvitationsApi.accept, {
    onSuccess: ({ token, user }) => {
      if (token === null || user === null) return
      signIn({ token, user })
      location.assign(PATHS.dashboard)
    },
    onError: form.showRefusal,
  })
  if (accept.data && accept.data.token === null)
    return <p role="status">Your login is ready. It works from your first day.</p>
  return (
    <>
      <ChoosePasswordForm
        onSubmit={form.send((body) => accept.isPending || accept.mutate({ body }))}
        label="Choose a password"
        inputProps={form.getInputProps('password')}
        ownNames={[name, email ?? form.values.email, dojo_name]}
        busy={accept.isPending}
        error={failureMessage(accept, 'Your login could not be created. Please try again.')}
        submitLabel="Join the staff"
        busyLabel="Joining..."
      >
        {email ? (
          <p>
            You’ll log in as <b>{email}</b>.
          </p>
        ) : (
          <TextInput
            {...form.getInputProps('email')}
            type="email"
            label="Your email"
            autoComplete="username"
            required
          />
        )}
      </ChoosePasswordForm>
      {!email && (
        <Button component={Link} to="/login" state={returnHere(secret)} variant="subtle" fullWidth>
          I already have a login
        </Button>
      )}
    </>
  )
}
