/** Pictures of the product itself, taken from the demo dojo by scripts/take-pictures.ts; the build gives them their addresses. */
const SHOTS = [
  { file: 'dashboard', width: 1280, height: 800, says: 'The dashboard', about: 'What needs you today' },
  { file: 'attendance', width: 520, height: 1125, says: 'Marking a class on a phone', about: 'Who is here' },
  { file: 'payments', width: 520, height: 1125, says: 'The payments of a month on a phone', about: 'Who owes' },
] as const

const addressOf = (file: string, scheme: 'light' | 'dark') => `/landing/pictures/${file}-${scheme}.webp`

/** In one row, all of one height; light or dark as the page is. */
export const Shots = () => (
  <section className="shots" aria-label="How it looks">
    {SHOTS.map(({ file, width, height, says, about }) => (
      <figure key={file} data-shape={width > height ? 'wide' : 'tall'}>
        <picture>
          <source srcSet={addressOf(file, 'dark')} media="(prefers-color-scheme: dark)" />
          <img src={addressOf(file, 'light')} alt={says} width={width} height={height} loading="lazy" decoding="async" />
        </picture>
        <figcaption>{about}</figcaption>
      </figure>
    ))}
  </section>
)
