import type { UseFormReturnType } from '@mantine/form'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import kit from '../ui/kit.module.css'
import { Section } from './student-fields.tsx'
import type { StudentForm } from './student-form.ts'

type Props = {
  form: Pick<UseFormReturnType<StudentForm>, 'getInputNode' | 'setFieldValue' | 'values'>
}

const TITLE = 'Who is joining?'

export const WhoJoins = ({ form }: Props) => (
  <Section title={TITLE}>
    <div data-wide className={kit.stackTight}>
      <ChoiceBar
        label={TITLE}
        choices={[
          { value: 'child', label: 'Child' },
          { value: 'adult', label: 'Adult' },
        ]}
        value={form.values.is_child ? 'child' : 'adult'}
        onChange={(choice) => form.setFieldValue('is_child', choice === 'child')}
        onTap={() => form.getInputNode('name')?.focus()}
      />
      <p className={kit.note}>
        {form.values.is_child
          ? 'A parent or guardian pays, gets the texts, and can log in.'
          : 'Has a login of their own. Teens can, too.'}
      </p>
    </div>
  </Section>
)
