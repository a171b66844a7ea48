import { IconInfoCircle } from '@tabler/icons-react'
import { drafts } from '../lib/drafts.ts'
import { session } from '../lib/session.ts'
import { LoginForm } from './login-form.tsx'
import styles from './login-page.module.css'
import { VisitorPage } from './visitor-page.tsx'

export const LoginPage = () => (
  <VisitorPage title="Login">
    <SessionEnded />
    <LoginForm />
  </VisitorPage>
)

/** Why one stands before the login again, and what became of what was typed. Nothing where no session has ended. */
function SessionEnded() {
  const isKept = !drafts.isEmpty()
  if (!isKept && !session.hasExpired()) return null
  return (
    <p role="alert" className={styles.notice}>
      <IconInfoCircle size={20} aria-hidden />
      {isKept ? 'Your session has ended. Sign in again; what you typed is kept.' : 'Your session has ended. Sign in again.'}
    </p>
  )
}
