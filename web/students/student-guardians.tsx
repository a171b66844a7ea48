import { Button, Text } from '@mantine/core'
import { IconPhoneCall } from '@tabler/icons-react'
import { familiesApi } from '@tatami/contract/families/families'
import {
  type Guardian,
  type Guardianship,
  OWN_LOGIN_AGE,
} from '@tatami/contract/guardians/guardians'
import type { Student } from '@tatami/contract/students/students'
import { useRef, useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'
import { failureMessage } from '../lib/api.ts'
import { drafts } from '../lib/drafts.ts'
import { focusOnMount } from '../lib/modal.ts'
import { useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { capitalize, formatPhone, joinNonEmpty, phoneHref } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import rows from '../ui/rows.module.css'
import { SearchPicker } from '../ui/search-picker.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { describeAdulthood, isAdultSoon } from '../families/adulthood-text.ts'
import { findDraftGuardianId, NEW_GUARDIAN_DRAFT } from '../families/family-drafts.ts'
import { guardianMatches } from '../families/guardian-search.ts'
import { isUnderAge } from '../lib/is-under-age.ts'
import { familiesQuery, useRefreshFamilies } from '../families/use-families.ts'
import { ChildLogin } from './child-login.tsx'
import { ClosedLogin } from './closed-login.tsx'
import { EndLogin } from './end-login.tsx'
import styles from './student-guardians.module.css'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'

const GuardianDialog = lazyComponent(
  () => import('../families/guardian-dialog.tsx'),
  'GuardianDialog',
)
const NewGuardianDialog = lazyComponent(
  () => import('../families/guardian-dialog.tsx'),
  'NewGuardianDialog',
)

type StudentDetails = Pick<Student, 'id' | 'name' | 'date_of_birth' | 'email'>

function splitGuardians({ id }: StudentDetails, guardians: readonly Guardian[]) {
  const linkedGuardians = guardians.flatMap((guardian): LinkedGuardian[] => {
    const link = guardian.students.find(({ student_id }) => student_id === id)
    return link ? [{ guardian, link }] : []
  })
  const linkedIds = linkedGuardians.map(({ guardian }) => guardian.id)
  const otherGuardians = guardians.filter(
    (guardian) => guardian.id !== id && !linkedIds.includes(guardian.id),
  )
  return { linkedGuardians, otherGuardians }
}

export function StudentGuardians({ student }: { student: StudentDetails }) {
  const families = useRetryingQuery(familiesQuery)
  const [openGuardianId, setOpenGuardianId] = useState(() => findDraftGuardianId() ?? null)
  const [isLinking, setLinking] = useState(false)
  const linkButton = useRef<HTMLButtonElement>(null)
  const [isAdding, setAdding] = useState(() => drafts.subjectOf(NEW_GUARDIAN_DRAFT) !== undefined)
  if (!families.data)
    return (
      <Loading query={families} error="The guardians could not be loaded.">
        <SkeletonBlock height="8rem" />
      </Loading>
    )
  const { linkedGuardians, otherGuardians } = splitGuardians(student, families.data.guardians)
  const closeLinking = () => {
    setLinking(false)
    linkButton.current?.focus()
  }
  const openNewGuardian = (id: string) => {
    setAdding(false)
    setOpenGuardianId(id)
  }
  return (
    <div className={kit.stackSmall}>
      <GuardianList linkedGuardians={linkedGuardians} onOpen={setOpenGuardianId} />
      <WithRight right="students.edit">
        <ClosedLogin studentId={student.id} guardians={linkedGuardians} />
        {isUnderAge(student, OWN_LOGIN_AGE) && (
          <ChildLogin child={student} guardians={linkedGuardians} />
        )}
        <div className={`${kit.wrap} ${styles.actions}`}>
          {otherGuardians.length > 0 && (
            <Button
              variant="default"
              size="sm"
              aria-expanded={isLinking}
              ref={linkButton}
              onClick={() => setLinking(!isLinking)}
            >
              Link a guardian
            </Button>
          )}
          <Button variant="default" size="sm" onClick={() => setAdding(true)}>
            New guardian
          </Button>
          {student.email && <EndLogin student={{ ...student, email: student.email }} />}
        </div>
      </WithRight>
      {isLinking && (
        <LinkGuardian student={student} otherGuardians={otherGuardians} onLinked={closeLinking} />
      )}
      {openGuardianId && (
        <GuardianDialog guardianId={openGuardianId} onClose={() => setOpenGuardianId(null)} />
      )}
      {isAdding && (
        <NewGuardianDialog
          studentIds={[student.id]}
          onClose={() => setAdding(false)}
          onCreated={openNewGuardian}
        />
      )}
    </div>
  )
}

const describeRights = ({ pays, gets_texts, sees, picks_up }: Guardianship) =>
  joinNonEmpty([
    pays && 'pays',
    gets_texts && 'gets texts',
    sees ? 'sees the page' : 'doesn’t see the page',
    picks_up && 'picks up',
  ])

type LinkedGuardian = { guardian: Guardian; link: Guardianship }

type ListProps = { linkedGuardians: LinkedGuardian[]; onOpen: (guardianId: string) => void }

function GuardianList({ linkedGuardians, onOpen }: ListProps) {
  if (linkedGuardians.length === 0) return <p className={styles.dim}>No parent or guardian yet.</p>
  return (
    <ul className={rows.list}>
      {linkedGuardians.map(({ guardian, link }) => (
        <GuardianRow
          key={guardian.id}
          guardian={guardian}
          link={link}
          onOpen={() => onOpen(guardian.id)}
        />
      ))}
    </ul>
  )
}

type NameProps = { name: string; onOpen: () => void }

const GuardianName = ({ name, onOpen }: NameProps) =>
  useCan()('students.edit') ? (
    <button type="button" className={`${kit.bareButton} ${styles.nameButton}`} onClick={onOpen}>
      {name}
    </button>
  ) : (
    <span className={kit.strong}>{name}</span>
  )

type GuardianRowProps = LinkedGuardian & { onOpen: () => void }

const GuardianRow = ({ guardian, link, onOpen }: GuardianRowProps) => (
  <li>
    <div className={`${rows.text} ${styles.text}`}>
      <GuardianName name={guardian.name} onOpen={onOpen} />
      <span className={styles.dim}>
        {capitalize(link.relation)}: {describeRights(link)}
      </span>
      {(link.adult_on === null || isAdultSoon(link)) && (
        <span className={styles.dim}>{describeAdulthood(link)}</span>
      )}
    </div>
    {guardian.phone && (
      <a href={phoneHref(guardian.phone)} className={`${kit.inline} ${styles.callLink}`}>
        <IconPhoneCall size={18} aria-hidden />
        {formatPhone(guardian.phone)}
      </a>
    )}
  </li>
)

type LinkProps = {
  student: { id: string; name: string }
  otherGuardians: Guardian[]
  onLinked: () => void
}

function LinkGuardian({ student, otherGuardians, onLinked }: LinkProps) {
  const refresh = useRefreshFamilies()
  const [selectedGuardian, setSelectedGuardian] = useState<Guardian | null>(null)
  const link = useEndpointMutation(familiesApi.link, {
    onSuccess: async () => {
      await refresh()
      onLinked()
    },
  })
  if (!selectedGuardian)
    return (
      <SearchPicker
        label="Link a guardian of another student"
        placeholder="Name, phone or email, or their student"
        find={(search) => otherGuardians.filter((guardian) => guardianMatches(guardian, search))}
        describe={({ students, phone }: Guardian) =>
          joinNonEmpty(
            [
              students.map(({ student_name }) => student_name).join(', '),
              phone && formatPhone(phone),
            ],
            ' · ',
          )
        }
        actionLabel="Choose"
        onPick={setSelectedGuardian}
        noMatchesNote="No results"
        hasFocus
      />
    )
  return (
    <div role="group" aria-label={`Link ${selectedGuardian.name}`}>
      <Text mb="sm">
        {selectedGuardian.name} will see {student.name}’s page and get texts about them. You can
        change that later.
      </Text>
      <div className={`${kit.wrap} ${styles.actions}`}>
        <Button
          variant="default"
          disabled={link.isPending}
          onClick={() => setSelectedGuardian(null)}
        >
          Cancel
        </Button>
        <BusyButton
          busy={link.isPending}
          busyLabel="Linking..."
          ref={focusOnMount}
          onClick={() =>
            link.mutate({ params: { id: selectedGuardian.id, studentId: student.id }, body: {} })
          }
        >
          Link {selectedGuardian.name}
        </BusyButton>
      </div>
      <ErrorNotice>{failureMessage(link, 'This could not be saved.')}</ErrorNotice>
    </div>
  )
}
