const pictureUrl = (file: string, scheme: 'light' | 'dark') =>
  `/landing/pictures/${file}-${scheme}.webp`

type Props = { file: string; width: number; height: number; alt: string }

/** A screenshot of the demo school, taken by scripts/take-pictures.ts. The build replaces the
 *  URLs. */
export const Picture = ({ file, alt, ...size }: Props) => (
  <picture>
    <source srcSet={pictureUrl(file, 'dark')} media="(prefers-color-scheme: dark)" />
    <img src={pictureUrl(file, 'light')} alt={alt} {...size} loading="lazy" decoding="async" />
  </picture>
)
