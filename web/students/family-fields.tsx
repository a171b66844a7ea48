import { Checkbox, NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { RELATIONS } from '@tatami/contract/guardians/guardians'
import { useRetryingQuery } from '../lib/query.ts'
import { capitalize, joinNonEmpty } from '../lib/text.ts'
import { GuardianFields } from '../families/guardian-fields.tsx'
import { familiesQuery } from '../families/use-families.ts'
import { Section } from './student-fields.tsx'
import type { StudentForm } from './student-form.ts'

export type FamilyGuardian = { id: string; name: string }

type Props = {
  form: Pick<UseFormReturnType<StudentForm>, 'getInputProps' | 'values'>
  previousGuardian?: FamilyGuardian | undefined
}

export function FamilyFields({ form, previousGuardian }: Props) {
  const { is_in_family, guardian_id } = form.values
  const families = useRetryingQuery({ ...familiesQuery, enabled: is_in_family })
  const existingGuardians = families.data?.guardians ?? []
  const guardians =
    previousGuardian && !existingGuardians.some(({ id }) => id === previousGuardian.id)
      ? [{ ...previousGuardian, students: [] }, ...existingGuardians]
      : existingGuardians
  return (
    <Section title="Family">
      <div data-wide>
        <Checkbox
          size="md"
          label="Belongs to a family"
          description="No email or password needed: the parent or guardian logs in and pays"
          {...form.getInputProps('is_in_family', { type: 'checkbox' })}
        />
      </div>
      {is_in_family && guardians.length > 0 && (
        <div data-wide>
          <NativeSelect
            {...form.getInputProps('guardian_id')}
            label="Guardian"
            data={[
              { value: '', label: 'A new guardian' },
              ...guardians.map(({ id, name, students }) => ({
                value: id,
                label: joinNonEmpty(
                  [name, students.map(({ student_name }) => student_name).join(', ')],
                  ' · ',
                ),
              })),
            ]}
          />
        </div>
      )}
      {is_in_family && guardian_id === '' && (
        <>
          <GuardianFields getInputProps={form.getInputProps} prefix="guardian." />
          <NativeSelect
            {...form.getInputProps('guardian.relation')}
            label="Relation"
            data={RELATIONS.map((value) => ({ value, label: capitalize(value) }))}
          />
        </>
      )}
    </Section>
  )
}
