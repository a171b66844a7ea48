import { Checkbox, NativeSelect, Text, TextInput, Title } from '@mantine/core'
import { birthdayOf } from '@tatami/contract/lib/calendar-day'
import { classesApi } from '@tatami/contract/classes/classes'
import { familyForm, type FamilySuggestion, familiesApi } from '@tatami/contract/families/families'
import {
  ADULT_AGE,
  type Guardian,
  LOGIN_CHOICES,
  type LoginChoice,
  RELATIONS,
  type Relation,
  UNDO_DAYS,
} from '@tatami/contract/guardians/guardians'
import { studentMatches } from '@tatami/contract/students/student-search'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { capitalize, joinNonEmpty } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { useChecklistSearch } from '../ui/search-picker.tsx'
import { describeStudent } from '../lib/class-groups.ts'
import { FAMILY_DRAFT } from './family-drafts.ts'
import styles from './family-dialog.module.css'
import {
  type FamilyMember,
  toRequestMembers,
  NEW_MEMBER,
  suggestRelation,
} from './family-members.ts'
import { FamilyPreview } from './family-preview.tsx'
import { findChoice } from './find-choice.ts'
import { GuardianFields } from './guardian-fields.tsx'
import { familiesQuery, useRefreshFamilies } from './use-families.ts'
import kit from '../ui/kit.module.css'
import { LoadingSheet } from '../ui/loading.tsx'

type Props = {
  /** Null if the instructor chooses from all students */
  suggestion: FamilySuggestion | null
  onClose: () => void
  onCreated: (guardianId: string) => void
}

const TITLE = 'Create a family'

export function FamilyDialog(props: Props) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const families = useRetryingQuery(familiesQuery)
  if (students.data && families.data) {
    return <FamilyFields {...props} students={students.data} guardians={families.data.guardians} />
  }
  return (
    <LoadingSheet
      title={TITLE}
      query={[students, families].find(({ isUnavailable }) => isUnavailable) ?? students}
      error="The students could not be loaded."
      label="Loading"
      onClose={props.onClose}
    />
  )
}

type FamilyValues = {
  /** '' for a new guardian */
  guardian_id: string
  guardian: { name: string; phone: string; email: string }
  members: Record<string, FamilyMember>
  pays: boolean
  gets_texts: boolean
}

const initialValues = (suggestion: FamilySuggestion | null): FamilyValues => ({
  guardian_id: suggestion?.guardian?.id ?? '',
  guardian: {
    name: suggestion?.guardian?.name ?? '',
    phone: suggestion?.guardian?.phone ?? '',
    email: suggestion?.guardian?.email ?? '',
  },
  members: Object.fromEntries(
    suggestion?.students.map(({ student_id }) => [student_id, NEW_MEMBER]) ?? [],
  ),
  pays: true,
  gets_texts: true,
})

// Only unchecked rights are sent. A new link gets all other rights, and an existing link keeps its
// own.
const toRequestBody = (
  { guardian_id, guardian, members, pays, gets_texts }: FamilyValues,
  existingGuardian: Guardian | undefined,
) => ({
  ...(!pays && { pays }),
  ...(!gets_texts && { gets_texts }),
  ...(guardian_id === '' ? { guardian } : { guardian_id }),
  students: toRequestMembers(existingGuardian, members),
})

type FieldsProps = Props & { students: readonly Student[]; guardians: readonly Guardian[] }

function FamilyFields({ suggestion, students, guardians, onClose, onCreated }: FieldsProps) {
  const findSelectedGuardian = (values: FamilyValues) =>
    guardians.find(({ id }) => id === values.guardian_id)
  const form = useSchemaForm(familyForm, initialValues(suggestion), (values) =>
    toRequestBody(values, findSelectedGuardian(values)),
  )
  useDraft(FAMILY_DRAFT, form)
  const refreshFamilies = useRefreshFamilies()
  const createFamily = useEndpointMutation(familiesApi.create, {
    onSuccess: (reply) => {
      void refreshFamilies()
      onCreated(reply.guardian.id)
    },
    onError: form.showRefusal,
  })
  const { members } = form.values
  const guardian = findSelectedGuardian(form.values)
  const body = toRequestBody(form.values, guardian)
  const closedLoginNames = students
    .filter(({ id, email }) => email && members[id]?.log_in === 'close')
    .map(({ name }) => name)
  return (
    <FormDialog
      onClose={onClose}
      title={TITLE}
      size="large"
      onSubmit={form.send(
        (newFamily) => createFamily.isPending || createFamily.mutate({ body: newFamily }),
      )}
      isDirty={form.isDirty()}
      {...progressProps(createFamily, 'The family could not be created. Please try again.')}
      submitLabel="Create this family"
      busyLabel="Creating..."
      gap="lg"
    >
      <GuardianSection form={form} guardians={guardians} />
      <StudentsSection
        form={form}
        students={suggestion ? findSuggestedStudents(suggestion, students) : students}
        guardian={guardian}
        hasSearch={!suggestion}
      />
      {familyForm.safeParse(body).success && (
        <FamilyPreview request={body} closedLoginNames={closedLoginNames} />
      )}
      <Text c="dimmed">You can undo this for {UNDO_DAYS} days.</Text>
    </FormDialog>
  )
}

const findSuggestedStudents = (suggestion: FamilySuggestion, students: readonly Student[]) =>
  students.filter(({ id }) => suggestion.students.some(({ student_id }) => student_id === id))

type Form = Pick<
  ReturnType<typeof useSchemaForm<FamilyValues, unknown>>,
  'errors' | 'getInputProps' | 'setFieldValue' | 'values'
>
type StudentsSectionProps = Pick<MemberListProps, 'students' | 'guardian' | 'hasSearch'> & {
  form: Form
}

const StudentsSection = ({ form, ...listProps }: StudentsSectionProps) => (
  <section className={kit.stackSmall}>
    <Title order={3} size="h4">
      Students
    </Title>
    <MemberList
      {...listProps}
      members={form.values.members}
      onChange={(members) => form.setFieldValue('members', members)}
    />
    <ErrorNotice>{form.errors.students}</ErrorNotice>
    <Checkbox {...form.getInputProps('pays', { type: 'checkbox' })} label="Pays for all of them" />
    <Checkbox
      {...form.getInputProps('gets_texts', { type: 'checkbox' })}
      label="Gets texts about all of them"
    />
  </section>
)

type GuardianSectionProps = { form: Form; guardians: readonly Guardian[] }

const GuardianSection = ({ form, guardians }: GuardianSectionProps) => (
  <section className={kit.stackSmall}>
    <Title order={3} size="h4">
      Parent or guardian
    </Title>
    {guardians.length > 0 && (
      <NativeSelect
        {...form.getInputProps('guardian_id')}
        label="Guardian"
        data={[
          { value: '', label: 'A new guardian' },
          ...guardians.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    )}
    {form.values.guardian_id === '' && (
      <GuardianFields getInputProps={form.getInputProps} prefix="guardian." />
    )}
  </section>
)

const LOGIN_LABELS: Record<LoginChoice, string> = {
  keep: 'Keep the student’s login',
  move: 'Give it to the guardian',
  close: 'Close it',
}

const isAdult = ({ date_of_birth }: Student) =>
  date_of_birth !== null && birthdayOf(date_of_birth, ADULT_AGE) <= today()

function describeLogin(student: Student) {
  if (!student.email) return 'no login'
  return isAdult(student)
    ? `logs in as ${student.email}, and keeps it as an adult`
    : `logs in as ${student.email}`
}

const MAX_MATCHES = 8

type MemberListProps = {
  students: readonly Student[]
  guardian: Guardian | undefined
  members: Record<string, FamilyMember>
  onChange: (members: Record<string, FamilyMember>) => void
  hasSearch: boolean
}

function MemberList({ students, guardian, members, onChange, hasSearch }: MemberListProps) {
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const search = useChecklistSearch({
    options: students,
    isSelected: ({ id }) => id in members,
    matches: (student, text) => studentMatches(student, text, 'all'),
    maxMatches: MAX_MATCHES,
    noMatchesNote: 'No results',
  })
  const visibleStudents = hasSearch ? search.visibleOptions : students
  const toggle = ({ id }: Student) => {
    const changedMembers = { ...members }
    if (id in members) delete changedMembers[id]
    else changedMembers[id] = NEW_MEMBER
    onChange(changedMembers)
  }
  return (
    <>
      {hasSearch && (
        <TextInput
          {...search.field}
          aria-label="Find students"
          placeholder="Find students by name, email or phone"
        />
      )}
      <ul className={kit.stackSmall}>
        {visibleStudents.map((student) => {
          const member = members[student.id]
          return (
            <li key={student.id} className={`${kit.stackTight} ${styles.member}`}>
              <Checkbox
                label={student.name}
                description={joinNonEmpty(
                  [describeStudent({ ...student, email: null }, classes), describeLogin(student)],
                  ' · ',
                )}
                checked={member !== undefined}
                onChange={() => toggle(student)}
              />
              {member && (
                <MemberChoices
                  student={student}
                  relation={member.relation ?? suggestRelation(guardian, student.id)}
                  logIn={member.log_in}
                  onChange={(change) =>
                    onChange({ ...members, [student.id]: { ...member, ...change } })
                  }
                />
              )}
            </li>
          )
        })}
      </ul>
      <p role="status" className={`${kit.note} ${styles.searchNote}`}>
        {hasSearch && search.note}
      </p>
    </>
  )
}

type ChoicesProps = {
  student: Student
  relation: Relation
  logIn: LoginChoice
  onChange: (change: Partial<FamilyMember>) => void
}

const MemberChoices = ({ student, relation, logIn, onChange }: ChoicesProps) => (
  <div className={styles.choices}>
    <NativeSelect
      aria-label={`Relation to ${student.name}`}
      value={relation}
      data={RELATIONS.map((value) => ({ value, label: capitalize(value) }))}
      onChange={(event) => onChange({ relation: findChoice(RELATIONS, event.currentTarget.value) })}
    />
    {student.email && !isAdult(student) && (
      <NativeSelect
        aria-label={`Login for ${student.name}`}
        value={logIn}
        data={LOGIN_CHOICES.map((value) => ({ value, label: LOGIN_LABELS[value] }))}
        onChange={(event) =>
          onChange({ log_in: findChoice(LOGIN_CHOICES, event.currentTarget.value) })
        }
      />
    )}
  </div>
)
