import { useId } from 'react'
import styles from './choice-bar.module.css'

export type Choice<V> = {
  value: V
  label: string
  count?: number | undefined
  isDisabled?: boolean
}
type Props<V extends string> = {
  label: string
  choices: readonly Choice<V>[]
  value: V | ''
  onChange: (value: V) => void
  /** Called after a tap or click, but not when the arrow keys change the choice. */
  onTap?: () => void
}

export function ChoiceBar<V extends string>(props: Props<V>) {
  const { label, choices, value, onChange, onTap } = props
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
            disabled={choice.isDisabled}
            onChange={() => onChange(choice.value)}
            onClick={({ detail }) => detail > 0 && onTap?.()}
            className={styles.radio}
          />
          {choice.label}
          {'count' in choice && (
            <span className={styles.count} aria-hidden>
              {choice.count ?? '–'}
            </span>
          )}
        </label>
      ))}
    </div>
  )
}
