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

/** All choices side by side on a desktop. On a phone a list, which leaves space for a search. Its
 *  choices have no counts, because a count that loads would change its width. */
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
