import { ageOn } from '@tatami/contract/lib/calendar-day'
import { Checkbox, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { ENROLLMENT_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import { wordingOf } from '@tatami/contract/texting/consent-wordings'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { today } from '../lib/dates.ts'
import { Section } from './student-fields.tsx'
import { hasNewPhone, type StudentForm } from './student-form.ts'

type Props = {
  form: Pick<UseFormReturnType<StudentForm>, 'getInputProps' | 'setFieldValue' | 'values'>
}

/** Guesses who agreed to texts. The instructor can correct it. */
function guessConsenter({ is_child, guardian, date_of_birth, name }: StudentForm): string {
  if (is_child && guardian.name) return guardian.name
  return date_of_birth !== '' && ageOn(today(), date_of_birth) >= ADULT_AGE ? name : ''
}

export function ConsentFields({ form }: Props) {
  const wording = mustExist(wordingOf(ENROLLMENT_WORDING_VERSION), 'The wording of the consent')
  const { is_given, given_by } = form.values.text_consent
  if (!hasNewPhone(form.values)) return null
  return (
    <Section title="Texts">
      <div data-wide>
        <Checkbox
          size="md"
          label={wording.title}
          description={wording.opening}
          checked={is_given}
          onChange={({ currentTarget: { checked } }) => {
            form.setFieldValue('text_consent', {
              is_given: checked,
              given_by: given_by || guessConsenter(form.values),
            })
          }}
        />
      </div>
      {is_given && (
        <div data-wide>
          <TextInput
            {...form.getInputProps('text_consent.given_by')}
            label="Who agreed"
            description="The student, or their parent or guardian"
            maxLength={100}
            autoComplete="off"
            autoCapitalize="words"
          />
        </div>
      )}
    </Section>
  )
}
