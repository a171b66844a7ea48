import { Button, NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type Guardian, RELATIONS } from '@tatami/contract/guardians/guardians'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import { flushSync } from 'react-dom'
import { GuardianFields } from '../families/guardian-fields.tsx'
import { guardianMatches } from '../families/guardian-search.ts'
import { familiesQuery } from '../families/use-families.ts'
import { capitalize, formatPhone, joinNonEmpty } from '../lib/text.ts'
import kit from '../ui/kit.module.css'
import { MatchList } from '../ui/search-picker.tsx'
import { Section } from './student-fields.tsx'
import { EMPTY_STUDENT_FORM, toGuardianFields, type StudentForm } from './student-form.ts'

type Props = {
  form: Pick<
    UseFormReturnType<StudentForm>,
    'getInputNode' | 'getInputProps' | 'setValues' | 'values'
  >
}

/** Typing a name suggests existing guardians, so that nobody enters the same guardian twice. */
export function GuardianSection({ form }: Props) {
  const { data: families } = useQuery(familiesQuery)
  const { guardian_id, guardian, guardian_is_emergency_contact } = form.values
  const guardians = families?.guardians ?? []
  const changeButton = useRef<HTMLButtonElement>(null)
  const selectGuardian = (existingGuardian: Guardian) => {
    flushSync(() => form.setValues(toGuardianFields(existingGuardian)))
    changeButton.current?.focus()
  }
  const clearGuardian = () => {
    const { guardian: emptyGuardian } = EMPTY_STUDENT_FORM
    flushSync(() =>
      form.setValues({
        guardian_id: '',
        guardian: emptyGuardian,
        guardian_is_emergency_contact: true,
      }),
    )
    form.getInputNode('guardian.name')?.focus()
  }
  return (
    <Section title="Parent or guardian">
      {guardian_id === '' ? (
        <GuardianFields
          getInputProps={form.getInputProps}
          prefix="guardian."
          needsPhone={guardian_is_emergency_contact}
          belowName={
            <ExistingGuardians guardians={guardians} name={guardian.name} onPick={selectGuardian} />
          }
          afterPhone={
            <NativeSelect
              {...form.getInputProps('guardian.relation')}
              label="Relation"
              data={RELATIONS.map((value) => ({ value, label: capitalize(value) }))}
            />
          }
        />
      ) : (
        <SelectedGuardian
          guardian={guardian}
          students={guardians.find(({ id }) => id === guardian_id)?.students ?? []}
          changeButton={changeButton}
          onChange={clearGuardian}
        />
      )}
    </Section>
  )
}

const MIN_LETTERS = 2
const MAX_MATCHES = 3

const describeGuardian = (
  phone: string | null,
  students: readonly { student_name: string }[],
): string =>
  joinNonEmpty(
    [phone && formatPhone(phone), students.map(({ student_name }) => student_name).join(', ')],
    ' · ',
  )

type ExistingGuardiansProps = {
  guardians: readonly Guardian[]
  name: string
  onPick: (guardian: Guardian) => void
}

function ExistingGuardians({ guardians, name, onPick }: ExistingGuardiansProps) {
  const hasEnoughLetters = name.trim().length >= MIN_LETTERS
  const matches = hasEnoughLetters
    ? guardians.filter((guardian) => guardianMatches(guardian, name)).slice(0, MAX_MATCHES)
    : []
  return (
    <MatchList
      label="Guardians you already have"
      matches={matches}
      describe={({ phone, students }) => describeGuardian(phone, students)}
      actionLabel="Select"
      onPick={onPick}
    />
  )
}

type SelectedGuardianProps = {
  guardian: StudentForm['guardian']
  students: Guardian['students']
  changeButton: RefObject<HTMLButtonElement | null>
  onChange: () => void
}

const SelectedGuardian = ({
  guardian: { name, phone },
  students,
  changeButton,
  onChange,
}: SelectedGuardianProps) => (
  <div data-wide className={`${kit.spread} ${kit.sunken}`}>
    <div className={kit.fill}>
      <p className={kit.name}>{name}</p>
      <p className={kit.note}>{describeGuardian(phone, students)}</p>
    </div>
    <Button ref={changeButton} variant="default" aria-label="Change guardian" onClick={onChange}>
      Change
    </Button>
  </div>
)
