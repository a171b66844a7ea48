import { IconInfoCircle } from '@tabler/icons-react'
import { Footer, Mark } from '../ui/brand.tsx'
import { LoginForm } from './login-form.tsx'

/** The login page, a document of its own like the landing page. */
export const LoginPage = () => (
  <div className="login-page">
    <header>
      <a href="/" className="login-home">
        <Mark />
        Tatami
      </a>
    </header>
    <main>
      <div className="card">
        <h1>Login</h1>
        <p role="alert" id="session-ended" hidden>
          <IconInfoCircle size={20} aria-hidden />
          <span />
        </p>
        <LoginForm />
      </div>
    </main>
    <Footer />
  </div>
)
