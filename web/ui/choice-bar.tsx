import { useId } from 'react'
import styles from './choice-bar.module.css'

export type Choice<Value> = {
  value: Value
  label: string
  count?: number | undefined
  isDisabled?: boolean
}
type Props<Value extends string> = {
  label: string
  choices: readonly Choice<Value>[]
  value: Value | ''
  onChange: (value: Value) => void
  /** Called after a tap or click, but not when the arrow keys change the choice. */
  onTap?: () => void
}

export function ChoiceBar<Value extends string>(props: Props<Value>) {
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
