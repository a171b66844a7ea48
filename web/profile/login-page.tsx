import { LoginForm } from './login-form.tsx'
import { SessionEnded } from './session-ended.tsx'
import { VisitorPage } from './visitor-page.tsx'

export const LoginPage = () => (
  <VisitorPage title="Login">
    <SessionEnded />
    <LoginForm />
  </VisitorPage>
)
