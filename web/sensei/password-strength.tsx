import { PASSWORD_STRENGTHS, passwordStrength } from '@tatami/contract/sensei'
import classes from './password-strength.module.css'

/** How strong what is typed is, in a word and as a bar of three. */
export function PasswordStrength({ password }: { password: string }) {
  const strength = passwordStrength(password)
  const reached = PASSWORD_STRENGTHS.indexOf(strength)
  return (
    <div className={classes.strength} data-strength={password && strength}>
      <span className={classes.bar} aria-hidden>
        {PASSWORD_STRENGTHS.map((one, index) => (
          <span key={one} data-reached={password !== '' && index <= reached} />
        ))}
      </span>
      <span role="status">
        {password && (
          <>
            Strength: <strong>{strength}</strong>
          </>
        )}
      </span>
    </div>
  )
}
