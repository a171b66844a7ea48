import { renderToStaticMarkup } from 'react-dom/server'
import { Loading } from '../ui/brand.tsx'
import { Landing } from './landing.tsx'
import { LoginPage } from './login-page.tsx'

const App = () => (
  <>
    <div id="app">
      <div id="starting">
        <Loading />
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

/** What the build writes into the HTML: the place of the app, with its spinner, the landing page and the login page. */
export const app = renderToStaticMarkup(<App />)
export const landing = renderToStaticMarkup(<Landing />)
export const login = renderToStaticMarkup(<LoginPage />)
