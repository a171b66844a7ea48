import { Button, Stack } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import { type StaffPerson, staffApi } from '@tatami/contract/staff/staff'
import {
  type StaffCertificate,
  staffCertificatesApi,
} from '@tatami/contract/staff/staff-certificates'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../lib/current-user.ts'
import { formatDate, today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { splitByExpiry, summarizeCertificates } from './describe-certificate.ts'
import { describePreset } from './grant-form.ts'
import { Invitations } from './invitations.tsx'
import kit from '../ui/kit.module.css'

const CertificateKindsSheet = lazyComponent(
  () => import('./certificate-kinds-sheet.tsx'),
  'CertificateKindsSheet',
)
const InviteDialog = lazyComponent(() => import('./invite-dialog.tsx'), 'InviteDialog')
const PersonDialog = lazyComponent(() => import('./person-dialog.tsx'), 'PersonDialog')
const RightsTable = lazyComponent(() => import('./rights-table.tsx'), 'RightsTable')
const StaffRulesPanel = lazyComponent(() => import('./staff-rules.tsx'), 'StaffRulesPanel')

export const INVITE_DRAFT = 'staff-invitation'
export const PERSON_DRAFT = 'staff-person'

/** The people who work at the school, and their rights. */
export function Staff() {
  const staff = useRetryingQuery(endpointQuery(staffApi.list))
  const { staff: ownAccess } = useCurrentUser()
  const [isInviting, setInviting] = useState(() => drafts.subjectOf(INVITE_DRAFT) !== undefined)
  const [openId, setOpenId] = useState(() => drafts.subjectOf(PERSON_DRAFT) ?? null)
  const [isComparing, setComparing] = useState(false)
  const [areKindsOpen, setKindsOpen] = useState(false)
  const { people = [], former_people: formerPeople = [], invitations = [] } = staff.data ?? {}
  const openPerson = [...people, ...formerPeople].find(({ id }) => id === openId)
  return (
    <Stack gap="lg">
      <PageHeader title="Staff">
        <Button
          leftSection={<IconUserPlus size={20} aria-hidden />}
          onClick={() => setInviting(true)}
          {...InviteDialog.preloadOnHover}
        >
          Invite
        </Button>
      </PageHeader>
      <Loading query={staff} error="The staff could not be loaded.">
        <Skeletons count={4} height={76} label="Loading..." />
      </Loading>
      {staff.data && (
        <>
          <People title="People" people={people} onOpen={setOpenId} />
          <Invitations invitations={invitations} />
          <div>
            <Button
              variant="subtle"
              aria-haspopup="dialog"
              onClick={() => setComparing(true)}
              {...RightsTable.preloadOnHover}
            >
              Compare permissions
            </Button>
            <Button
              variant="subtle"
              aria-haspopup="dialog"
              onClick={() => setKindsOpen(true)}
              {...CertificateKindsSheet.preloadOnHover}
            >
              Kinds of certificates
            </Button>
          </div>
          {ownAccess?.is_owner && <StaffRulesPanel rules={staff.data.rules} />}
          {formerPeople.length > 0 && (
            <People title="Former staff" people={formerPeople} onOpen={setOpenId} />
          )}
        </>
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {openPerson && (
        <PersonDialog key={openPerson.id} person={openPerson} onClose={() => setOpenId(null)} />
      )}
      {isComparing && <RightsTable onClose={() => setComparing(false)} />}
      {areKindsOpen && <CertificateKindsSheet onClose={() => setKindsOpen(false)} />}
    </Stack>
  )
}

type PeopleProps = {
  title: string
  people: readonly StaffPerson[]
  onOpen: (id: string) => void
}

function People({ title, people, onOpen }: PeopleProps) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const { data: certificateList } = useQuery(endpointQuery(staffCertificatesApi.list))
  return (
    <Panel title={title}>
      <FramedList aria-label={title}>
        {people.map((person) => (
          <FramedRow
            key={person.id}
            name={person.name}
            {...describePerson(person, classes, certificateList?.certificates ?? [])}
          >
            <Button
              variant="default"
              aria-haspopup="dialog"
              onClick={() => onOpen(person.id)}
              {...PersonDialog.preloadOnHover}
            >
              Open<VisuallyHidden>{` ${person.name}`}</VisuallyHidden>
            </Button>
          </FramedRow>
        ))}
      </FramedList>
      {people.length === 1 && (
        <p className={kit.muted}>
          Invite your assistants, so that nobody has to share your password.
        </p>
      )}
    </Panel>
  )
}

function describeWork(person: StaffPerson, classes: readonly DojoClass[]): string {
  const { is_owner, is_minor, title, class_ids: classIds } = person
  const classNames = classes
    .filter(({ id }) => classIds?.includes(id))
    .map(({ class_name }) => class_name)
  return joinNonEmpty(
    [
      is_owner ? 'Owner' : describePreset(person),
      title,
      classIds !== null && (classNames.join(', ') || 'No classes'),
      is_minor && 'Under 18',
    ],
    ' · ',
  )
}

/** Leaves out certificates of former staff. */
function describePerson(
  person: StaffPerson,
  classes: readonly DojoClass[],
  certificates: readonly StaffCertificate[],
): { details: string[]; warning: string } {
  const ownCertificates = certificates.filter(
    ({ staff_id, is_current }) => staff_id === person.id && is_current && !person.ended_at,
  )
  const [expiredCertificates, validCertificates] = splitByExpiry(ownCertificates, today())
  const details = [
    describeWork(person, classes),
    describeActivity(person),
    summarizeCertificates(validCertificates, today()),
  ]
  return {
    details: details.filter(Boolean),
    warning: summarizeCertificates(expiredCertificates, today()),
  }
}

/** The server uses UTC, in which an evening in the US is already the next day. */
const limitToToday = (day: string) => (day > today() ? today() : day)

function describeActivity({ ended_at, starts_on, ends_on, last_seen_on }: StaffPerson): string {
  if (ended_at) return `Ended ${formatDate(ended_at.slice(0, 10))}`
  return joinNonEmpty(
    [
      starts_on && `From ${formatDate(starts_on)}`,
      ends_on && `Until ${formatDate(ends_on)}`,
      last_seen_on ? `Last seen ${formatDate(limitToToday(last_seen_on))}` : 'Not seen yet',
    ],
    ' · ',
  )
}
