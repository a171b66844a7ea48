import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { guardianLinkForm, phoneLinkForm } from '@tatami/contract/texting/phones'
import { familiesApi } from '@tatami/contract/families/families'
import { RELATIONS } from '@tatami/contract/guardians/guardians'
import { firstNames } from '@tatami/contract/texting/message-types'
import { nameContains } from '@tatami/contract/lib/name-search'
import { useState } from 'react'
import { failureMessage, progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { capitalize, formatPhone } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { useChecklistSearch, useSearch } from '../ui/search-picker.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import styles from './link-dialog.module.css'
import { usePhoneLinks, type PhoneLinkResult } from './use-phone-links.ts'
import kit from '../ui/kit.module.css'

const MAX_MATCHES = 8
/** `detail` tells people with the same name apart, such as "Guardian of Leo and Mia". */
type Person = { id: string; name: string; kind: 'student' | 'guardian'; detail: string }
type Props = { phone: string; onClose: () => void; onLinked: (link: PhoneLinkResult) => void }

export function LinkDialog({ phone, onClose, onLinked }: Props) {
  const [openDialog, setOpenDialog] = useState<Person | 'new guardian' | null>(null)
  const { people, isPending, onRetry } = usePeople()
  const { linkGuardian } = usePhoneLinks(phone)
  const search = useSearch({
    find: (text) => people.filter(({ name, detail }) => nameContains(text)(`${name} ${detail}`)),
    maxMatches: MAX_MATCHES,
    noMatchesNote: !isPending && 'No results',
  })
  const finish = (link: PhoneLinkResult) => {
    onLinked(link)
    onClose()
  }
  const choose = (person: Person) => {
    if (person.kind === 'student') return setOpenDialog(person)
    return linkGuardian.mutate(
      { params: { phone }, body: { guardian_id: person.id } },
      { onSuccess: () => finish({ name: person.name, guardianId: person.id }) },
    )
  }
  const dialogProps = { phone, onClose: () => setOpenDialog(null), onLinked: finish }
  const newName = search.matches.length === 0 ? search.text.trim() : ''
  return (
    <Sheet
      opened
      onClose={onClose}
      busy={linkGuardian.isPending}
      title={`Whose number is ${formatPhone(phone)}?`}
      actions={<CancelButton />}
    >
      <Stack gap="md">
        <TextInput
          {...search.field}
          label="Guardian or student"
          placeholder="Type a name"
          description="New messages from this number will show their name."
          data-autofocus
        />
        {onRetry && <RetryNotice onRetry={onRetry}>Your students could not be loaded.</RetryNotice>}
        <PersonList people={search.matches} isDisabled={linkGuardian.isPending} onChoose={choose} />
        <p role="status" className={`${kit.note} ${styles.detail}`}>
          {search.note}
        </p>
        <ErrorNotice>{failureMessage(linkGuardian, LINK_FAILED)}</ErrorNotice>
        <Button
          variant="light"
          mr="auto"
          leftSection={<IconUserPlus size={18} aria-hidden />}
          onClick={() => setOpenDialog('new guardian')}
        >
          New guardian
        </Button>
      </Stack>
      {openDialog === 'new guardian' && <NewGuardianDialog {...dialogProps} name={newName} />}
      {openDialog && openDialog !== 'new guardian' && (
        <StudentDialog {...dialogProps} student={openDialog} />
      )}
    </Sheet>
  )
}

type ListProps = { people: Person[]; isDisabled: boolean; onChoose: (person: Person) => void }

const PersonList = ({ people, isDisabled, onChoose }: ListProps) => (
  <ul className={`${kit.rows} ${kit.hairlines}`} aria-label="People">
    {people.map((person) => (
      <li key={person.id}>
        <button
          type="button"
          className={`${kit.bareButton} ${styles.person}`}
          disabled={isDisabled}
          onClick={() => onChoose(person)}
        >
          <span className={kit.strong}>{person.name}</span>
          <span className={`${kit.note} ${styles.detail}`}>
            {person.kind === 'student' ? 'Student' : person.detail || 'Guardian'}
          </span>
        </button>
      </li>
    ))}
  </ul>
)

function usePeople() {
  const students = useRetryingQuery(endpointQuery(conversationsApi.people))
  const families = useRetryingQuery(endpointQuery(familiesApi.list))
  const people: Person[] = [
    ...(families.data?.guardians ?? []).map(({ id, name, students: links }): Person => {
      const names = firstNames(links.map(({ student_name }) => student_name))
      return { id, name, kind: 'guardian', detail: names && `Guardian of ${names}` }
    }),
    ...(students.data ?? []).map(({ student_id, name }): Person => ({
      id: student_id,
      name,
      kind: 'student',
      detail: '',
    })),
  ]
  const failedQuery = [students, families].find(({ isUnavailable }) => isUnavailable)
  return {
    people: people.toSorted((a, b) => a.name.localeCompare(b.name)),
    isPending: students.isPending || families.isPending,
    onRetry: failedQuery?.retry,
  }
}

const LINK_FAILED = 'The number could not be linked.'
const LINK_BUTTON = { submitLabel: 'Link', busyLabel: 'Linking...' }

type LinkStepProps = Pick<Props, 'phone' | 'onClose' | 'onLinked'>

function StudentDialog({ phone, student, onClose, onLinked }: LinkStepProps & { student: Person }) {
  const form = useSchemaForm(phoneLinkForm, { student_id: student.id, holder_name: '' })
  const { linkStudent: link } = usePhoneLinks(phone)
  const send = form.send((body) => {
    const onSuccess = () => onLinked({ name: student.name, studentId: student.id })
    if (!link.isPending)
      link.mutate({ params: { phone }, body }, { onSuccess, onError: form.showRefusal })
  })
  return (
    <FormDialog
      title={student.name}
      size="small"
      onClose={onClose}
      onSubmit={send}
      isDirty={form.isDirty()}
      {...LINK_BUTTON}
      {...progressProps(link, LINK_FAILED)}
    >
      <Text>Group texts skip this number.</Text>
      <TextInput
        label="Who answers this phone"
        description="For example, a grandmother. Optional."
        maxLength={100}
        {...form.getInputProps('holder_name')}
      />
    </FormDialog>
  )
}

type NewGuardian = { name: string; relation: (typeof RELATIONS)[number]; student_ids: string[] }

function NewGuardianDialog({ phone, name, onClose, onLinked }: LinkStepProps & { name: string }) {
  const initialGuardian: NewGuardian = { name, relation: 'guardian', student_ids: [] }
  const form = useSchemaForm(guardianLinkForm, { guardian: initialGuardian })
  const { linkGuardian: link } = usePhoneLinks(phone)
  const send = form.send((body) => {
    const onSuccess = ({ guardian_id }: { guardian_id: string }) =>
      onLinked({ name: form.values.guardian.name, guardianId: guardian_id, isNew: true })
    if (!link.isPending)
      link.mutate({ params: { phone }, body }, { onSuccess, onError: form.showRefusal })
  })
  return (
    <FormDialog
      title="New guardian"
      onClose={onClose}
      onSubmit={send}
      isDirty={form.isDirty()}
      {...LINK_BUTTON}
      {...progressProps(link, LINK_FAILED)}
    >
      <Text>This will be their number, and they’ll get texts about these students.</Text>
      <TextInput
        label="Name"
        required
        autoComplete="off"
        autoCapitalize="words"
        maxLength={100}
        {...form.getInputProps('guardian.name')}
      />
      <NativeSelect
        label="Relation"
        data={RELATIONS.map((value) => ({ value, label: capitalize(value) }))}
        {...form.getInputProps('guardian.relation')}
      />
      <StudentChoice {...form.getInputProps('guardian.student_ids')} />
    </FormDialog>
  )
}

type StudentChoiceProps = {
  value?: string[]
  onChange?: (ids: string[]) => void
  error?: React.ReactNode
  'data-path'?: string
}

function StudentChoice({
  value: selectedIds = [],
  onChange,
  error,
  'data-path': path,
}: StudentChoiceProps) {
  const students = useRetryingQuery(endpointQuery(conversationsApi.people))
  const allStudents = students.data ?? []
  const search = useChecklistSearch({
    options: allStudents,
    isSelected: ({ student_id }) => selectedIds.includes(student_id),
    matches: ({ name }, text) => nameContains(text)(name),
    maxMatches: MAX_MATCHES,
    noMatchesNote: false,
    showsAllWhenEmpty: true,
  })
  return (
    <Checkbox.Group
      label="Students"
      size="md"
      required
      value={selectedIds}
      onChange={onChange}
      error={error}
      data-path={path}
      tabIndex={-1}
      inputWrapperOrder={['label', 'error', 'input']}
    >
      {students.isUnavailable && (
        <RetryNotice onRetry={students.retry}>Your students could not be loaded.</RetryNotice>
      )}
      {allStudents.length > MAX_MATCHES && (
        <TextInput {...search.field} aria-label="Find a student" placeholder="Find a student" />
      )}
      <div className={styles.students}>
        {search.visibleOptions.map(({ student_id, name }) => (
          <Checkbox
            key={student_id}
            size="md"
            value={student_id}
            label={name}
            className={styles.student}
          />
        ))}
      </div>
      <p className={`${kit.note} ${styles.detail}`}>{search.note}</p>
    </Checkbox.Group>
  )
}
