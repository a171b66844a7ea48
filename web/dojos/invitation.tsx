import { Button, Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dojosApi } from '@tatami/contract/dojos'
import { useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import classes from './invitation.module.css'
import { ReplaceInvitation } from './replace-invitation.tsx'

/** How students join by themselves: the dojo's link, and the same as a QR code. */
export function Invitation() {
  const { data: invitation, isError, isFetching, refetch } = useQuery(endpointQuery(dojosApi.invitation))
  const [replacing, setReplacing] = useState(false)
  return (
    <section className={classes.invitation} aria-labelledby="invitation">
      <div>
        <Title order={3} id="invitation">
          Invite students
        </Title>
        <p>Whoever opens this link can join your dojo as a trial student.</p>
      </div>
      {isError && !isFetching && <ErrorNotice onRetry={() => void refetch()}>The invitation could not be loaded.</ErrorNotice>}
      {invitation ? <CopyField label="Invitation link" value={invitation.link} /> : <Skeleton height="4.5rem" />}
      {invitation ? (
        <img className={classes.qr} src={invitation.qr} alt="QR code of the invitation link" />
      ) : (
        <Skeleton className={classes.qr} />
      )}
      <Button variant="subtle" aria-haspopup="dialog" disabled={!invitation} onClick={() => setReplacing(true)}>
        Replace invitation
      </Button>
      <ReplaceInvitation opened={replacing} onClose={() => setReplacing(false)} />
    </section>
  )
}
