import { NativeSelect } from '@mantine/core'
import { useLayout } from '../lib/layout-link.tsx'
import { type Choice, ChoiceBar } from './choice-bar.tsx'
import styles from './choice-filter.module.css'

type Props<V extends string> = {
  label: string
  choices: readonly Choice<V>[]
  value: V | ''
  onChange: (value: V) => void
}

/** On a desktop, all choices are side by side. On a phone, a drop-down list leaves room for a
 *  search field. It shows no counts, because it would change its width when they load. */
export const ChoiceFilter = <V extends string>(props: Props<V>) =>
  useLayout() === 'desktop' ? <ChoiceBar {...props} /> : <ChoiceSelect {...props} />

const ChoiceSelect = <V extends string>({ label, choices, value, onChange }: Props<V>) => (
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
