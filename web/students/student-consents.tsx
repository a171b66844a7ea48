import { Button, Title } from '@mantine/core'
import {
  type Icon,
  IconBan,
  IconCircleCheck,
  IconFileCertificate,
  IconHelpCircle,
} from '@tabler/icons-react'
import { wordingOf } from '@tatami/contract/texting/consent-wordings'
import { decisiveConsent } from '@tatami/contract/texting/phones'
import {
  type StudentConsent,
  type PhoneWithConsents,
  studentConsentsApi,
} from '@tatami/contract/texting/student-consents'
import { studentsApi } from '@tatami/contract/students/students'
import { useId, useState } from 'react'
import { formatDate, formatDateTime } from '../lib/dates.ts'
import { endpointQuery, endpointKey, queryClient, useRetryingQuery } from '../lib/query.ts'
import { formatPhone } from '../lib/text.ts'
import { ConsentWording } from '../texting/consent-wording.tsx'
import { describeConsent } from '../texting/describe-consent.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './student-consents.module.css'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'

const ConsentDialog = lazyComponent(() => import('../texting/consent-dialog.tsx'), 'ConsentDialog')

const refreshPage = () =>
  void queryClient.invalidateQueries({ queryKey: [endpointKey(studentsApi.show)] })

export function StudentConsents({ studentId }: { studentId: string }) {
  const phones = useRetryingQuery(
    endpointQuery(studentConsentsApi.list, { params: { id: studentId } }),
  )
  const [recordingPhone, setRecordingPhone] = useState<string | null>(null)
  if (!phones.data)
    return (
      <Loading query={phones} error="The consents could not be loaded.">
        <SkeletonBlock height="6rem" />
      </Loading>
    )
  if (phones.data.length === 0)
    return <p className={kit.note}>No phone number that can get texts, so no consent is needed.</p>
  return (
    <>
      <ul className={styles.phones}>
        {phones.data.map((phone) => (
          <li key={phone.phone_number}>
            <PhoneConsents phone={phone} onRecord={() => setRecordingPhone(phone.phone_number)} />
          </li>
        ))}
      </ul>
      {recordingPhone && (
        <ConsentDialog
          phone={recordingPhone}
          onClose={() => setRecordingPhone(null)}
          onRecorded={refreshPage}
        />
      )}
    </>
  )
}

const VISIBLE_CONSENTS = 3
const NO_CONSENT_NOTE =
  'Texts are sent anyway, until the phone replies STOP or you record that its owner no longer ' +
  'agrees. Ask for consent, and record it here.'

function PhoneConsents({ phone, onRecord }: { phone: PhoneWithConsents; onRecord: () => void }) {
  const { phone_number, holder, holder_name, consents } = phone
  const headingId = useId()
  const ownerName = holder_name ?? (holder === 'student' ? 'The student’s own' : 'Linked')
  return (
    <section className={`${kit.stackTight} ${styles.phone}`} aria-labelledby={headingId}>
      <div className={`${kit.wrap} ${styles.head}`}>
        <Title order={3} size="h5" id={headingId}>
          {formatPhone(phone_number)} <span className={styles.owner}>{ownerName}</span>
        </Title>
        <ConsentStatus phone={phone} />
      </div>
      {findConsentStatus(phone).state === 'none' && <p className={kit.note}>{NO_CONSENT_NOTE}</p>}
      <ConsentList consents={consents.slice(0, VISIBLE_CONSENTS)} />
      {consents.length > VISIBLE_CONSENTS && (
        <Disclosure summary="Earlier">
          <ConsentList consents={consents.slice(VISIBLE_CONSENTS)} />
        </Disclosure>
      )}
      <Button
        variant="default"
        size="sm"
        className={styles.recordButton}
        onClick={onRecord}
        onPointerEnter={ConsentDialog.preload}
      >
        Record consent<VisuallyHidden>{` for ${formatPhone(phone_number)}`}</VisuallyHidden>
      </Button>
    </section>
  )
}

/** A STOP reply overrides recorded consents, because carriers block the phone after it. */
function findConsentStatus({ opted_out_at, consents }: PhoneWithConsents) {
  if (opted_out_at)
    return { state: 'ended', label: `Replied STOP on ${formatDateTime(opted_out_at)}` }
  const consent = decisiveConsent(consents)
  if (!consent) return { state: 'none', label: 'No consent recorded' }
  return consent.event === 'given'
    ? { state: 'given', label: 'Agreed to texts' }
    : { state: 'ended', label: 'No longer agrees to texts' }
}

const STATUS_ICONS: Record<string, Icon> = {
  ended: IconBan,
  none: IconHelpCircle,
  given: IconCircleCheck,
}

function ConsentStatus({ phone }: { phone: PhoneWithConsents }) {
  const { state, label } = findConsentStatus(phone)
  const StatusIcon = STATUS_ICONS[state]
  return (
    <span className={`${kit.inline} ${styles.status}`} data-state={state}>
      {StatusIcon && <StatusIcon size={18} aria-hidden />}
      {label}
    </span>
  )
}

const ConsentList = ({ consents }: { consents: StudentConsent[] }) =>
  consents.length > 0 && (
    <ol className={styles.consents}>
      {consents.map((consent) => (
        <li key={consent.id}>
          <Consent consent={consent} />
        </li>
      ))}
    </ol>
  )

function Consent({ consent }: { consent: StudentConsent }) {
  const { recorded_by, signed_form, wording_version, words } = consent
  const wording = wordingOf(wording_version)
  return (
    <>
      <p>{describeConsent(consent)}</p>
      {signed_form && (
        <p className={styles.signedForm}>
          <IconFileCertificate size={18} aria-hidden />
          Signed form of {formatDate(signed_form.date)}, naming {signed_form.sensei_name}
        </p>
      )}
      {words && <p className={kit.note}>{`From the imported list: “${words}”`}</p>}
      {recorded_by && <p className={kit.note}>Recorded by {recorded_by}</p>}
      {wording && (
        <Disclosure summary="Wording">
          <blockquote className={`${kit.stackTight} ${styles.wording}`}>
            <p>
              <b>{wording.title}</b>
            </p>
            <ConsentWording wording={wording} />
            <p className={kit.note}>Version {wording_version}</p>
          </blockquote>
        </Disclosure>
      )}
    </>
  )
}
