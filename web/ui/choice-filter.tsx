import { NativeSelect } from '@mantine/core'
import { useLayout } from '../lib/layout-link.tsx'
import { type Choice, ChoiceBar } from './choice-bar.tsx'
import styles from './choice-filter.module.css'

type Props<Value extends string> = {
  label: string
  choices: readonly Choice<Value>[]
  value: Value | ''
  onChange: (value: Value) => void
}

/** On a desktop, all choices are side by side. On a phone, a drop-down list leaves room for a
 *  search field. It shows no counts, because it would change its width when they load. */
export const ChoiceFilter = <Value extends string>(props: Props<Value>) =>
  useLayout() === 'desktop' ? <ChoiceBar {...props} /> : <ChoiceSelect {...props} />

const ChoiceSelect = <Value extends string>({ label, choices, value, onChange }: Props<Value>) => (
  <NativeSelect
    aria-label={label}
    className={styles.list}
    value={value}
    data={[
      // If another control filters the list, none of these choices is selected.
      ...(value === '' ? [{ value: '', label, disabled: true }] : []),
      ...choices.map((choice) => ({ value: choice.value, label: choice.label })),
    ]}
    onChange={({ currentTarget }) => {
      const selectedChoice = choices.find((choice) => choice.value === currentTarget.value)
      if (selectedChoice) onChange(selectedChoice.value)
    }}
  />
)
