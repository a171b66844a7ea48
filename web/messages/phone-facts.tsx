import type { PhoneInfo } from '@tatami/contract/texting/phones'
import type { ReactNode } from 'react'
import { failureMessage } from '../lib/api.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { WithRight } from '../ui/with-right.tsx'
import { describeConsent } from '../texting/describe-consent.ts'
import styles from './phone-details.module.css'
import { usePhoneLinks } from './use-phone-links.ts'
import kit from '../ui/kit.module.css'

/** Who has this phone, and what they agreed to. */
export const PhoneFacts = ({ phoneInfo }: { phoneInfo: PhoneInfo }) => {
  const { phone_number, people, linked_guardians, consents } = phoneInfo
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
