import { familiesApi } from '@tatami/contract/families/families'
import { type Guardian, INVITATION_DAYS } from '@tatami/contract/guardians/guardians'
import { Title } from '@mantine/core'
import { failureMessage } from '../lib/api.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { DoneNotice, ErrorNotice } from '../ui/notices.tsx'
import styles from './guardian-dialog.module.css'
import { useRefreshFamilies } from './use-families.ts'
import kit from '../ui/kit.module.css'

type Props = { guardian: Guardian; hasUnsavedContact: boolean }

export function InviteGuardian({ guardian, hasUnsavedContact }: Props) {
  const refresh = useRefreshFamilies()
  const invite = useEndpointMutation(familiesApi.invite, { onSuccess: refresh })
  return (
    <section className={`${kit.stackTight} ${styles.logIn}`} aria-label="Login">
      <Title order={3} size="h4">
        Login
      </Title>
      {guardian.has_log_in ? (
        <p>
          Logs in as {guardian.email}
          {(guardian.is_student || guardian.is_instructor) &&
            `, and is also ${guardian.is_student ? 'a student' : 'an instructor'}`}
          .
        </p>
      ) : (
        <>
          <p className={kit.muted}>{describeInvitation(guardian)}</p>
          {guardian.email && (
            <BusyButton
              variant="light"
              busy={invite.isPending}
              busyLabel="Inviting..."
              disabled={hasUnsavedContact}
              onClick={() => invite.mutate({ params: { id: guardian.id } })}
            >
              {guardian.invited_until ? 'Invite again' : 'Invite to log in'}
            </BusyButton>
          )}
          {guardian.email && hasUnsavedContact && (
            <p className={kit.muted} role="status">
              Save your changes first: the invitation goes to the saved email, {guardian.email}.
            </p>
          )}
          {invite.data && (
            <div className={styles.wide}>
              {invite.data.link ? (
                <CopyField
                  label={`Link for ${guardian.name}, valid for ${INVITATION_DAYS} days`}
                  value={invite.data.link}
                />
              ) : (
                <DoneNotice>The invitation was sent to {invite.data.email}.</DoneNotice>
              )}
            </div>
          )}
          <ErrorNotice>
            {failureMessage(invite, 'The invitation could not be created. Please try again.')}
          </ErrorNotice>
        </>
      )}
    </section>
  )
}

function describeInvitation({ invited_until, email }: Guardian): string {
  if (invited_until)
    return `Invited until ${formatInstantDate(invited_until)}. You can invite them again.`
  return email
    ? 'They can’t log in yet.'
    : 'They can’t log in yet. Save an email first, then invite them.'
}
