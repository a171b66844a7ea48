import { Button } from '@mantine/core'
import { conversationsApi, type PhoneInfo, type TextConsent } from '@tatami/contract/conversations'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { formatDateTime } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import styles from './conversations.module.css'
import { PhoneLink } from './phone-link.tsx'
import { peopleLabel } from './people.ts'

const LinkDialog = lazyComponent(() => import('./phone-dialogs.tsx').then((part) => part.LinkDialog))
const ConsentDialog = lazyComponent(() => import('./phone-dialogs.tsx').then((part) => part.ConsentDialog))

/** Whose phone it is, whether it gets texts, and who agreed to them. */
export function PhoneDetails({ info }: { info: PhoneInfo }) {
  const { phone_number, people, opted_out_at, consents } = info
  const [opened, open] = useState<'link' | 'consent' | null>(() => (drafts.subjectOf('text-consent') === phone_number ? 'consent' : null))
  const close = () => open(null)
  const name = people.length > 0 ? peopleLabel(info) : null
  return (
    <div className={styles.details}>
      <div className={styles.detailsHead}>
        <PhoneLink phone={phone_number} name={name} />
        {opted_out_at && <span className={styles.optedOut}>Replied STOP on {formatDateTime(opted_out_at)}</span>}
        {people.length === 0 && (
          <Button variant="default" size="sm" onClick={() => open('link')}>
            Whose number is this?
          </Button>
        )}
      </div>
      <Disclosure summary="About this phone">
        <dl className={styles.facts}>
          <dt>Students</dt>
          <dd>
            {people.length === 0 ? 'Nobody yet' : people.map((one) => <Person key={one.student_id} phone={phone_number} person={one} />)}
          </dd>
          <dt>Agreed to texts</dt>
          <dd>{consents.length === 0 ? 'Nothing recorded' : consents.map((one) => <p key={one.id}>{consentWords(one)}</p>)}</dd>
        </dl>
        <div className={styles.keptActs}>
          <Button variant="default" size="sm" onClick={() => open('link')}>
            Link to a student
          </Button>
          <Button variant="default" size="sm" onClick={() => open('consent')}>
            Record consent
          </Button>
        </div>
      </Disclosure>
      {opened === 'link' && <LinkDialog phone={phone_number} onClose={close} />}
      {opened === 'consent' && <ConsentDialog phone={phone_number} onClose={close} />}
    </div>
  )
}

const SOURCES: Record<TextConsent['source'], string> = {
  form: 'by the consent form',
  enrolment: 'at enrolment',
  START: 'by replying START',
  paper: 'on paper',
  STOP: 'by replying STOP',
  instructor: 'as the instructor was told',
}

/** "Ann Adams agreed on Mar 1, 2027, 9:00 AM, by the consent form" */
const consentWords = ({ event, source, given_by, at }: TextConsent) =>
  `${given_by ?? 'The holder of the phone'} ${event === 'given' ? 'agreed' : 'no longer agrees'}, ${SOURCES[source]}, ${formatDateTime(at)}`

function Person({ phone, person: { student_id, name, holder, holder_name } }: { phone: string; person: PhoneInfo['people'][number] }) {
  const { phone: info, thread, conversations } = conversationsApi
  const unlink = useEndpointMutation(conversationsApi.unlink, { refreshes: [info, thread, conversations] })
  return (
    <div className={styles.person}>
      <span>
        <StudentLink id={student_id}>{name}</StudentLink>
        {holder_name && `, through ${holder_name}`}
      </span>
      {holder === 'linked' && (
        <BusyButton
          variant="default"
          size="sm"
          busy={unlink.isPending}
          busyLabel="Unlinking..."
          aria-label={`Unlink ${name}`}
          onClick={() => unlink.mutate({ params: { phone }, query: { student_id } })}
        >
          Unlink
        </BusyButton>
      )}
      <ErrorNotice>{unlink.error && errorMessage(unlink.error, 'The number could not be unlinked. Please try again.')}</ErrorNotice>
    </div>
  )
}
