import { useId } from 'react'
import styles from './choice-bar.module.css'

type Props<V extends string> = { label: string; choices: readonly { value: V; label: string }[]; value: V; onChange: (chosen: V) => void }

/** Radio buttons side by side. */
export function ChoiceBar<V extends string>({ label, choices, value, onChange }: Props<V>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={styles.bar}>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className={styles.radio}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
