import type { UseFormReturnType } from '@mantine/form'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import kit from '../ui/kit.module.css'
import { Section } from './student-fields.tsx'
import type { StudentForm } from './student-form.ts'

type Props = {
  form: Pick<
    UseFormReturnType<StudentForm>,
    'getInputNode' | 'isDirty' | 'setInitialValues' | 'setValues' | 'values'
  >
}

const TITLE = 'Who is joining?'

export function ChildOrAdultChoice({ form }: Props) {
  const { is_child } = form.values
  const choose = (choice: 'child' | 'adult') => {
    const values = { ...form.values, is_child: choice === 'child' }
    // After this choice alone, closing the form should not ask for confirmation.
    if (!form.isDirty()) form.setInitialValues(values)
    form.setValues(values)
  }
  return (
    <Section title={TITLE}>
      <div data-wide className={kit.stackTight}>
        <ChoiceBar
          label={TITLE}
          choices={[
            { value: 'child', label: 'Child' },
            { value: 'adult', label: 'Adult' },
          ]}
          value={is_child ? 'child' : 'adult'}
          onChange={choose}
          onTap={() => form.getInputNode('name')?.focus()}
        />
        <p className={kit.note}>
          {is_child
            ? 'A parent or guardian pays, gets the texts, and can log in.'
            : 'They have their own login. Teens can, too.'}
        </p>
      </div>
    </Section>
  )
}
