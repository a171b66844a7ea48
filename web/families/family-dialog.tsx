import { Checkbox, NativeSelect, Text, TextInput, Title } from '@mantine/core'
import { birthdayOf } from '@tatami/contract/lib/calendar-day'
import { classesApi } from '@tatami/contract/classes/classes'
import { familyForm, type FamilySuggestion, familiesApi } from '@tatami/contract/families/families'
import {
  ADULT_AGE,
  type Guardian,
  LOG_IN_CHOICES,
  type LogInChoice,
  RELATIONS,
  type Relation,
  UNDO_DAYS,
} from '@tatami/contract/guardians/guardians'
import { studentMatches } from '@tatami/contract/students/student-search'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { progressOf } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { capitalize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { useSearch } from '../ui/search-picker.tsx'
import { describeStudent } from '../lib/class-groups.ts'
import { FAMILY_DRAFT } from './family-drafts.ts'
import styles from './family-dialog.module.css'
import { type Member, membersToWire, NEW_MEMBER, relationTo } from './family-members.ts'
import { FamilyPreview } from './family-preview.tsx'
import { GuardianFields } from './guardian-fields.tsx'
import { familiesQuery, useRefreshFamilies } from './use-families.ts'
import kit from '../ui/kit.module.css'
import { LoadingSheet } from '../ui/loading.tsx'

type Props = {
  /** Who may be a family; null to choose among all students. */
  suggestion: FamilySuggestion | null
  onClose: () => void
  onMade: (guardianId: string) => void
}

const TITLE = 'Make a family'

/** Makes a family of students who are there already: one guardian, what becomes of the log-ins, and what changes by it. */
export function FamilyDialog(props: Props) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const families = useRetryingQuery(familiesQuery)
  if (students.data && families.data) {
    return <FamilyFields {...props} students={students.data} guardians={families.data.guardians} />
  }
  return (
    <LoadingSheet
      title={TITLE}
      of={[students, families].find(({ isUnavailable }) => isUnavailable) ?? students}
      failed="The students could not be loaded."
      label="Loading"
      onClose={props.onClose}
    />
  )
}

type Values = {
  /** '' for a new guardian. */
  guardian_id: string
  guardian: { name: string; phone: string; email: string }
  /** By student id; who is not in it is not of the family. */
  members: Record<string, Member>
  pays: boolean
  gets_texts: boolean
}

const initialValues = (suggestion: FamilySuggestion | null): Values => ({
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

// What is ticked from the start is what the server takes for new links; a guardian who is linked already keeps what they have.
const toWire = (
  { guardian_id, guardian, members, pays, gets_texts }: Values,
  existingGuardian: Guardian | undefined,
) => ({
  ...(!pays && { pays }),
  ...(!gets_texts && { gets_texts }),
  ...(guardian_id === '' ? { guardian } : { guardian_id }),
  students: membersToWire(existingGuardian, members),
})

type FieldsProps = Props & { students: readonly Student[]; guardians: readonly Guardian[] }

function FamilyFields({ suggestion, students, guardians, onClose, onMade }: FieldsProps) {
  const guardianOf = (values: Values) => guardians.find(({ id }) => id === values.guardian_id)
  const form = useSchemaForm(familyForm, initialValues(suggestion), (values) =>
    toWire(values, guardianOf(values)),
  )
  useDraft(FAMILY_DRAFT, form)
  const refresh = useRefreshFamilies()
  const make = useEndpointMutation(familiesApi.create, {
    onSuccess: (reply) => {
      void refresh()
      onMade(reply.guardian.id)
    },
    onError: form.showRefusal,
  })
  const { members, guardian_id } = form.values
  const setMembers = (next: Record<string, Member>) => form.setFieldValue('members', next)
  const guardian = guardianOf(form.values)
  const wire = toWire(form.values, guardian)
  const closing = students
    .filter(({ id, email }) => email && members[id]?.log_in === 'close')
    .map(({ name }) => name)
  const isComplete = familyForm.safeParse(wire).success
  return (
    <FormDialog
      onClose={onClose}
      title={TITLE}
      size="large"
      onSubmit={form.send((body) => make.isPending || make.mutate({ body }))}
      unsent={form.isDirty()}
      {...progressOf(make, 'The family could not be made.')}
      submit="Make this family"
      submitting="Making it..."
      gap="lg"
    >
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
        {guardian_id === '' && <GuardianFields field={form.getInputProps} prefix="guardian." />}
      </section>
      <section className={kit.stackSmall}>
        <Title order={3} size="h4">
          Students
        </Title>
        <MemberList
          students={
            suggestion
              ? students.filter(({ id }) =>
                  suggestion.students.some(({ student_id }) => student_id === id),
                )
              : students
          }
          guardian={guardian}
          members={members}
          onChange={setMembers}
          hasSearch={!suggestion}
        />
        <ErrorNotice>{form.errors.students}</ErrorNotice>
        <Checkbox
          {...form.getInputProps('pays', { type: 'checkbox' })}
          label="Pays for all of them"
        />
        <Checkbox
          {...form.getInputProps('gets_texts', { type: 'checkbox' })}
          label="Gets the texts about all of them"
        />
      </section>
      {isComplete && <FamilyPreview form={wire} closing={closing} />}
      <Text c="dimmed">It can be undone for {UNDO_DAYS} days.</Text>
    </FormDialog>
  )
}

/** What becomes of a log-in, in words. */
const LOG_IN_LABELS: Record<LogInChoice, string> = {
  keep: 'Keep the student’s log-in',
  move: 'It becomes the guardian’s',
  close: 'Close it',
}

const isAdult = ({ date_of_birth }: Student) =>
  date_of_birth !== null && birthdayOf(date_of_birth, ADULT_AGE) <= today()

/** How a student logs in, or that they do not; an adult's log-in stays theirs. */
function logInWords(student: Student) {
  if (!student.email) return 'no log-in'
  return isAdult(student)
    ? `logs in as ${student.email}, and keeps that as an adult`
    : `logs in as ${student.email}`
}

const MAX_SHOWN = 8

type MemberListProps = {
  students: readonly Student[]
  guardian: Guardian | undefined
  members: Record<string, Member>
  onChange: (members: Record<string, Member>) => void
  hasSearch: boolean
}

/** The students to tick; of those ticked, the relation and what becomes of the log-in. */
function MemberList({ students, guardian, members, onChange, hasSearch }: MemberListProps) {
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const isTicked = ({ id }: Student) => id in members
  const search = useSearch({
    find: (text) =>
      students.filter((student) => !isTicked(student) && studentMatches(student, text, 'all')),
    most: MAX_SHOWN,
    none: 'Nobody else of this name, email or phone number.',
  })
  const visibleStudents = hasSearch ? [...students.filter(isTicked), ...search.matches] : students
  const toggle = ({ id }: Student) => {
    const { [id]: toggledMember, ...otherMembers } = members
    onChange(toggledMember ? otherMembers : { ...members, [id]: NEW_MEMBER })
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
          const set = (change: Partial<Member>) =>
            onChange({ ...members, [student.id]: { ...NEW_MEMBER, ...member, ...change } })
          return (
            <li key={student.id} className={`${kit.stackTight} ${styles.member}`}>
              <Checkbox
                label={student.name}
                description={`${describeStudent({ ...student, email: null }, classes)} · ${logInWords(student)}`}
                checked={member !== undefined}
                onChange={() => toggle(student)}
              />
              {member && (
                <div className={styles.choices}>
                  <NativeSelect
                    aria-label={`Relation to ${student.name}`}
                    value={member.relation ?? relationTo(guardian, student.id)}
                    data={RELATIONS.map((value) => ({ value, label: capitalize(value) }))}
                    onChange={(event) => set({ relation: event.currentTarget.value as Relation })}
                  />
                  {student.email && !isAdult(student) && (
                    <NativeSelect
                      aria-label={`Log-in of ${student.name}`}
                      value={member.log_in}
                      data={LOG_IN_CHOICES.map((value) => ({ value, label: LOG_IN_LABELS[value] }))}
                      onChange={(event) =>
                        set({ log_in: event.currentTarget.value as LogInChoice })
                      }
                    />
                  )}
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <p role="status" className={`${kit.note} ${styles.more}`}>
        {hasSearch && search.note}
      </p>
    </>
  )
}
