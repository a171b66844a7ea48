import { LoginForm } from './login-form.tsx'
import { VisitorPage } from './visitor-page.tsx'

export const LoginPage = () => (
  <VisitorPage title="Login">
    <LoginForm />
  </VisitorPage>
)
