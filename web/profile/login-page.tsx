import { IconInfoCircle } from '@tabler/icons-react'
import { drafts } from '../lib/drafts.ts'
import { session } from '../lib/session.ts'
import { LoginForm } from './login-form.tsx'
import styles from './login-page.module.css'
import { VisitorPage } from './visitor-page.tsx'

export const LoginPage = () => (
  <VisitorPage title="Login">
    <SessionEndedNotice />
    <LoginForm />
  </VisitorPage>
)

/** Says that the session has ended and whether drafts are kept; renders nothing otherwise. */
function SessionEndedNotice() {
  const hasDrafts = !drafts.isEmpty()
  if (!hasDrafts && !session.hasExpired()) return null
  return (
    <p role="alert" className={styles.notice}>
      <IconInfoCircle size={20} aria-hidden />
      {hasDrafts ? 'Your session has ended. Sign in again; what you typed is kept.' : 'Your session has ended. Sign in again.'}
    </p>
  )
}
