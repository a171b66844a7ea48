import { IconInfoCircle } from '@tabler/icons-react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Footer, PageLoading, Logo } from '../ui/brand.tsx'
import { Landing } from './landing.tsx'
import { LoginForm } from './login-form.tsx'

const App = () => (
  <>
    <div id="app">
      <div id="starting">
        <PageLoading />
      </div>
    </div>
    <template id="not-started">
      <div className="loading" role="alert">
        Tatami could not be loaded.{' '}
        <form>
          <button type="submit">Try again</button>
        </form>
      </div>
    </template>
  </>
)

const LoginPage = () => (
  <div className="login-page">
    <header>
      <a href="/" className="login-home">
        <Logo />
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

export const app = renderToStaticMarkup(<App />)
export const landing = renderToStaticMarkup(<Landing />)
export const login = renderToStaticMarkup(<LoginPage />)
