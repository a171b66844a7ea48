import { Button } from '@mantine/core'
import type { PhoneInfo } from '@tatami/contract/texting/phones'
import { type ReactNode, useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'
import { errorMessage, failureMessage } from '../lib/api.ts'
import { formatDateTime } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { newLeadPath } from '../lib/paths.ts'
import { drafts } from '../lib/drafts.ts'
import { Badge } from '../ui/badge.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { describeConsent } from '../texting/describe-consent.ts'
import styles from './phone-details.module.css'
import { PhoneLink } from './phone-link.tsx'
import { labelPhone } from './people.ts'
import { type PhoneLinkResult, usePhoneLinks } from './use-phone-links.ts'
import kit from '../ui/kit.module.css'

const LinkDialog = lazyComponent(() => import('./link-dialog.tsx'), 'LinkDialog')
const ConsentDialog = lazyComponent(() => import('../texting/consent-dialog.tsx'), 'ConsentDialog')

export function PhoneDetails({ info }: { info: PhoneInfo }) {
  const can = useCan()
  const { phone_number, people, opted_out_at } = info
  const [openDialog, setOpenDialog] = useState<'link' | 'consent' | null>(() =>
    drafts.subjectOf('text-consent') === phone_number ? 'consent' : null,
  )
  const [newLink, setNewLink] = useState<PhoneLinkResult | null>(null)
  const { undo, undoError } = usePhoneLinks(phone_number)
  const close = () => setOpenDialog(null)
  const name = people.length > 0 ? labelPhone(info) : null
  return (
    <div className={kit.stackTight}>
      <div className={`${kit.row} ${styles.detailsHead}`}>
        <PhoneLink phone={phone_number} name={name} />
        {opted_out_at && (
          <Badge tone="orange">Replied STOP on {formatDateTime(opted_out_at)}</Badge>
        )}
        {people.length === 0 && can('texts.send') && (
          <Button variant="default" size="sm" onClick={() => setOpenDialog('link')}>
            Whose number is this?
          </Button>
        )}
        {people.length === 0 && can('students.edit') && (
          <Button component={LayoutLink} to={newLeadPath(phone_number)} variant="default" size="sm">
            New lead
          </Button>
        )}
      </div>
      <Disclosure summary="About this phone">
        <PhoneFacts info={info} />
        <WithRight right="texts.send">
          <div className={kit.row}>
            <Button variant="default" size="sm" onClick={() => setOpenDialog('link')}>
              Link this number
            </Button>
            <Button variant="default" size="sm" onClick={() => setOpenDialog('consent')}>
              Record consent
            </Button>
          </div>
        </WithRight>
      </Disclosure>
      <ErrorNotice>
        {undoError && errorMessage(undoError, 'That couldn’t be undone. Please try again.')}
      </ErrorNotice>
      {newLink && (
        <Snackbar
          key={newLink.name}
          actionLabel="Undo"
          onAction={() => {
            undo(newLink)
            setNewLink(null)
          }}
          onDismiss={() => setNewLink(null)}
        >
          Linked to {newLink.name}
        </Snackbar>
      )}
      {openDialog === 'link' && (
        <LinkDialog phone={phone_number} onClose={close} onLinked={setNewLink} />
      )}
      {openDialog === 'consent' && <ConsentDialog phone={phone_number} onClose={close} />}
    </div>
  )
}

const PhoneFacts = ({ info }: { info: PhoneInfo }) => {
  const { phone_number, people, linked_guardians, consents } = info
  return (
    <dl className={`${kit.lines} ${styles.facts}`}>
      <dt className={kit.note}>Students</dt>
      <dd>
        {people.length === 0
          ? 'No one yet'
          : people.map((person) => (
              <LinkedStudent key={person.student_id} phone={phone_number} person={person} />
            ))}
      </dd>
      {linked_guardians.length > 0 && (
        <>
          <dt className={kit.note}>Linked to</dt>
          <dd>
            {linked_guardians.map((guardian) => (
              <LinkedGuardian key={guardian.id} phone={phone_number} guardian={guardian} />
            ))}
          </dd>
        </>
      )}
      <dt className={kit.note}>Agreed to texts</dt>
      <dd>
        {consents.length === 0
          ? 'Nothing recorded'
          : consents.map((consent) => <p key={consent.id}>{describeConsent(consent)}</p>)}
      </dd>
    </dl>
  )
}

type LinkRowProps = {
  name: string
  children: ReactNode
  unlink: { isPending: boolean; error: Error | null }
  /** Undefined if the number is not linked, but in the profile of the student or guardian */
  onUnlink: (() => void) | undefined
}

const LinkRow = ({ name, children, unlink, onUnlink }: LinkRowProps) => (
  <div className={`${kit.spread} ${styles.person}`}>
    <span>{children}</span>
    {onUnlink && (
      <WithRight right="texts.send">
        <BusyButton
          variant="default"
          size="sm"
          busy={unlink.isPending}
          busyLabel="Unlinking..."
          aria-label={`Unlink ${name}`}
          onClick={onUnlink}
        >
          Unlink
        </BusyButton>
      </WithRight>
    )}
    <ErrorNotice>
      {failureMessage(unlink, 'The number could not be unlinked. Please try again.')}
    </ErrorNotice>
  </div>
)

type LinkedStudentProps = { phone: string; person: PhoneInfo['people'][number] }

function LinkedStudent({
  phone,
  person: { student_id, name, holder, holder_name },
}: LinkedStudentProps) {
  const { unlinkStudent: unlink } = usePhoneLinks(phone)
  const onUnlink = () => unlink.mutate({ params: { phone }, query: { student_id } })
  return (
    <LinkRow name={name} unlink={unlink} onUnlink={holder === 'linked' ? onUnlink : undefined}>
      <StudentLink id={student_id}>{name}</StudentLink>
      {holder_name && `, via ${holder_name}`}
    </LinkRow>
  )
}

type LinkedGuardianProps = { phone: string; guardian: PhoneInfo['linked_guardians'][number] }

function LinkedGuardian({ phone, guardian: { id, name } }: LinkedGuardianProps) {
  const { unlinkGuardian: unlink } = usePhoneLinks(phone)
  const onUnlink = () => unlink.mutate({ params: { phone }, query: { guardian_id: id } })
  return (
    <LinkRow name={name} unlink={unlink} onUnlink={onUnlink}>
      {name}
    </LinkRow>
  )
}
