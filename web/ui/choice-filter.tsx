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

/** On a desktop, all choices side by side. On a phone, a list, which leaves room for a search field.
 *  Its choices have no counts, because the list would change its width when they load. */
export const ChoiceFilter = <V extends string>(props: Props<V>) =>
  useLayout() === 'desktop' ? <ChoiceBar {...props} /> : <ChoiceList {...props} />

const ChoiceList = <V extends string>({ label, choices, value, onChange }: Props<V>) => (
  <NativeSelect
    aria-label={label}
    className={styles.list}
    value={value}
    data={[
      // Something else filters the list, so none of the choices is selected.
      ...(value === '' ? [{ value: '', label, disabled: true }] : []),
      ...choices.map((choice) => ({ value: choice.value, label: choice.label })),
    ]}
    onChange={({ currentTarget }) => {
      const choice = choices.find((candidate) => candidate.value === currentTarget.value)
      if (choice) onChange(choice.value)
    }}
  />
)
