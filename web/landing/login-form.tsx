import { IconAlertTriangle, IconEye, IconEyeOff, IconFingerprint } from '@tabler/icons-react'
import { credentials } from '@tatami/contract/accounts/accounts'
import type { ComponentProps } from 'react'
import { fieldErrors } from '../lib/form.ts'

/** The messages for empty fields and an invalid email. The server checks the rest. */
const missingMessages = fieldErrors(credentials, { email: '', password: '' })
const invalidMessages = fieldErrors(credentials, { email: 'aiko', password: '' })
const CODE_REQUIRED = 'Code is required'

type FieldProps = ComponentProps<'input'> & {
  name: string
  label: string
  hint?: string
  isHidden?: boolean
}

const Field = ({ name, label, hint, isHidden, children, ...input }: FieldProps) => (
  <div className="field" hidden={isHidden}>
    <label htmlFor={name}>{label}</label>
    {hint && (
      <p id={`${name}-hint`} className="field-hint">
        {hint}
      </p>
    )}
    <div className="field-input">
      <input
        id={name}
        name={name}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-describedby={[hint && `${name}-hint`, `${name}-error`].filter(Boolean).join(' ')}
        data-missing={missingMessages[name]}
        data-invalid={invalidMessages[name]}
        {...input}
      />
      {children}
    </div>
    <p id={`${name}-error`} className="field-error" hidden />
  </div>
)

const DialogLink = ({ id, children }: { id: string; children: string }) => (
  <button type="button" id={id} className="link" aria-haspopup="dialog">
    {children}
  </button>
)

/** The build writes this form into the HTML, and login.ts adds its behavior. */
export const LoginForm = () => (
  <div className="login" data-login>
    <form noValidate>
      <Field
        name="email"
        label="Email"
        hint="Enter your email in lowercase"
        type="email"
        autoComplete="username"
      />
      <Field name="password" label="Password" type="password" autoComplete="current-password">
        <button type="button" className="show-password" aria-label="Show password">
          <IconEye size={20} stroke={1.5} aria-hidden />
          <IconEyeOff size={20} stroke={1.5} aria-hidden />
        </button>
      </Field>
      {/* Appears if the password is correct and the account has a second factor. */}
      <Field
        name="code"
        label="Code"
        hint="From your authenticator app, or a recovery code"
        autoComplete="one-time-code"
        data-missing={CODE_REQUIRED}
        isHidden
      />
      <div role="alert" className="login-error" hidden>
        <IconAlertTriangle size={20} aria-hidden />
        <span />
      </div>
      <button type="submit" className="button-main button-busy">
        <span>Login</span>
        <span aria-live="polite">Logging in...</span>
      </button>
      <button type="button" id="passkey" className="button-quiet button-busy" hidden>
        <span>
          <IconFingerprint size={20} stroke={1.5} aria-hidden />
          Log in with a passkey
        </span>
        <span aria-live="polite">Waiting for your device...</span>
      </button>
    </form>
    <div className="login-links">
      <DialogLink id="new-instructor">New Instructor Setup</DialogLink>
      <DialogLink id="forgot-password">Forgot Password</DialogLink>
    </div>
    <div role="alert" className="login-error" hidden>
      <IconAlertTriangle size={20} aria-hidden />
      <span />
      <button type="button" className="button-quiet">
        Try again
      </button>
    </div>
  </div>
)
