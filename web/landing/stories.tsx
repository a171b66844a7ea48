import { Picture } from './picture.tsx'

const PHONE_SIZE = { width: 520, height: 1125 }
const TABLET_SIZE = { width: 1180, height: 820 }

const STORIES = [
  {
    file: 'family',
    title: 'One login for the whole family',
    text:
      'A parent sees every child’s classes, belts, fees and news, and tells you with one tap ' +
      'when one of them can’t come.',
    alt: 'A parent’s home screen with three children',
    ...PHONE_SIZE,
  },
  {
    file: 'belt-test',
    title: 'Belt tests without a clipboard',
    text:
      'See who is ready, invite them, record results at the mat, and promote everyone who passed ' +
      'in one step. Certificates come as a PDF.',
    alt: 'Recording results at a belt test on a phone',
    ...PHONE_SIZE,
  },
  {
    file: 'kiosk',
    title: 'Students check themselves in',
    text:
      'On a tablet at the door, by name, PIN or QR code. It greets them and shows how far ' +
      'they have come since their last belt.',
    alt: 'A tablet that greets a student who has checked in',
    ...TABLET_SIZE,
  },
  {
    file: 'offline',
    title: 'It works in the basement',
    text:
      'Without a signal, the roll still opens and you mark it as usual. The marks stay on the ' +
      'phone and are sent when you’re back online.',
    alt: 'A roll on a phone without a signal, with marks waiting to be sent',
    ...PHONE_SIZE,
  },
  {
    file: 'till',
    title: 'The cash box adds up',
    text:
      'Take part payments and cash, print receipts, and count the drawer at the end of the ' +
      'evening. Tatami tells you what should be there.',
    alt: 'The cash count of an evening on a phone',
    ...PHONE_SIZE,
  },
] as const

export const Stories = () => (
  <section className="stories" aria-labelledby="stories">
    <h2 id="stories">From the front door to the cash box</h2>
    <div className="story-grid">
      {STORIES.map(({ title, text, ...picture }) => (
        <article key={picture.file} data-shape={picture.width > picture.height ? 'wide' : 'tall'}>
          <div>
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
          <Picture {...picture} />
        </article>
      ))}
    </div>
  </section>
)
