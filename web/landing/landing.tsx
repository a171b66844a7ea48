import {
  IconCalendarEvent,
  IconChartBar,
  IconCoin,
  IconMessage2,
  IconSend,
  IconUsers,
  IconX,
} from '@tabler/icons-react'
import { Belt } from '../ui/belt.tsx'
import { Footer, Logo } from '../ui/brand.tsx'
import { LoginForm } from './login-form.tsx'
import { Mats } from './mats.tsx'
import { Picture } from './picture.tsx'
import { Stories } from './stories.tsx'

const FEATURES = [
  {
    title: 'Enrollment and management',
    text: 'Enroll a student once. Belt, classes, contacts and fee are in one place, a search away.',
    icon: IconUsers,
    belt: 'white',
  },
  {
    title: 'Payment tracking',
    text: 'See who has paid this month and who hasn’t. Mark a payment with one tap.',
    icon: IconCoin,
    belt: 'yellow',
  },
  {
    title: 'SMS announcements and reminders',
    text: 'Fee reminders go out automatically. Everyone hears about a canceled class in time.',
    icon: IconSend,
    belt: 'orange',
  },
  {
    title: 'Class management',
    text: 'Days, times and who trains when. Attendance takes one tap per student.',
    icon: IconCalendarEvent,
    belt: 'green',
  },
  {
    title: 'Analytics dashboard',
    text: 'Demographics, payment trends and a birthday calendar, from records you already have.',
    icon: IconChartBar,
    belt: 'blue',
  },
  {
    title: 'Message center',
    text: 'Text one class or all students, and see what was delivered.',
    icon: IconMessage2,
    belt: 'brown',
  },
] as const

const SCREENSHOTS = [
  {
    file: 'dashboard',
    width: 1280,
    height: 800,
    alt: 'The dashboard',
    caption: 'What needs your attention today',
  },
  {
    file: 'attendance',
    width: 520,
    height: 1125,
    alt: 'Marking a class on a phone',
    caption: 'Who is here',
  },
  {
    file: 'payments',
    width: 520,
    height: 1125,
    alt: 'The payments of a month on a phone',
    caption: 'Who owes',
  },
] as const

const Screenshots = () => (
  <section className="screenshots" aria-label="How it looks">
    {SCREENSHOTS.map(({ file, width, height, alt, caption }) => (
      <figure key={file} data-shape={width > height ? 'wide' : 'tall'}>
        <Picture file={file} width={width} height={height} alt={alt} />
        <figcaption>{caption}</figcaption>
      </figure>
    ))}
  </section>
)

type LoginButtonProps = { id: string; className: string; children: string }

const LoginButton = ({ id, className, children }: LoginButtonProps) => (
  <form action="/login" id={id}>
    <button type="submit" className={className}>
      {children}
    </button>
  </form>
)

const LoginDialog = () => (
  <dialog className="dialog" aria-labelledby="login-title">
    <div>
      <div className="dialog-head">
        <h2 id="login-title" tabIndex={-1}>
          Login
        </h2>
        <form method="dialog">
          <button type="submit" aria-label="Close">
            <IconX size={20} aria-hidden />
          </button>
        </form>
      </div>
      <LoginForm />
    </div>
  </dialog>
)

/** The build writes this page into the HTML. No script renders it in the browser. */
export const Landing = () => (
  <div className="landing">
    <header className="landing-head">
      <span className="landing-name">
        <Logo />
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
        <div className="hero-text">
          <h1>Everything your dojo writes down, in one calm place.</h1>
          <p>
            Tatami keeps track of students, classes, attendance, payments and texts, so you can be
            on the mat.
          </p>
          <LoginButton id="get-started" className="button-main">
            Get Started Today
          </LoginButton>
        </div>
        <figure className="hero-figure">
          <Mats />
        </figure>
      </section>
      <Screenshots />
      <Stories />
      <section className="features" aria-labelledby="features">
        <h2 id="features">What it does for you</h2>
        <ul>
          {FEATURES.map(({ title, text, icon: Icon, belt }) => (
            <li key={title}>
              <div className="feature-icons">
                <Icon size={28} stroke={1.5} aria-hidden />
                <Belt colours={[belt]} size={44} decorative />
              </div>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </main>
    <Footer />
    <LoginDialog />
  </div>
)
