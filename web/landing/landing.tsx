import { Belt } from '../ui/belt.tsx'
import { Footer } from '../ui/footer.tsx'
import { Mark } from '../ui/mark.tsx'
import { FEATURES } from './features.tsx'
import { Mats } from './mats.tsx'
import { Shots } from './shots.tsx'

/** Opens the login dialog (landing-script.ts), or leads to the login page where no script runs. */
const LoginButton = ({ id, className, children }: { id: string; className: string; children: string }) => (
  <form action="/login" id={id}>
    <button type="submit" className={className}>
      {children}
    </button>
    <span role="status" />
    <div role="alert" hidden>
      <p>The login could not be loaded.</p>
      <button type="submit" className="button-quiet">
        Try again
      </button>
    </div>
  </form>
)

/** The front page. It is written into the HTML when Tatami is built, and no script draws it again. */
export const Landing = () => (
  <div className="landing">
    <header className="landing-head">
      <span className="landing-name">
        <Mark />
        Tatami
      </span>
      <nav aria-label="Main">
        <a href="/consent-form">Consent Form</a>
        <LoginButton id="login" className="button-quiet">
          Login
        </LoginButton>
      </nav>
    </header>
    <main>
      <section className="hero">
        <div className="hero-words">
          <h1>Everything your dojo writes down, in one calm place.</h1>
          <p>Tatami keeps your students, classes, attendance, payments and text messages, so that you can be on the mat.</p>
          <LoginButton id="get-started" className="button-main">
            Get Started Today
          </LoginButton>
        </div>
        <figure className="hero-figure">
          <Mats />
        </figure>
      </section>
      <Shots />
      <section className="features" aria-labelledby="features">
        <h2 id="features">What it does for you</h2>
        <ul>
          {FEATURES.map(({ title, text, icon: Icon, belt }) => (
            <li key={title}>
              <div className="feature-signs">
                <Icon size={28} stroke={1.5} aria-hidden />
                <Belt colour={belt} size={44} decorative />
              </div>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </main>
    <Footer />
  </div>
)
