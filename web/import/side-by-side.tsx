import { Fragment } from 'react'
import { IconEqual, IconEqualNot } from '@tabler/icons-react'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './side-by-side.module.css'
import kit from '../ui/kit.module.css'

export type ComparedColumn = { title: string; cells: Record<string, readonly string[]> }
type Props = { caption: string; labels: readonly string[]; sides: readonly ComparedColumn[] }

export function SideBySide({ caption, labels, sides }: Props) {
  const visibleLabels = labels.filter((label) => sides.some((side) => side.cells[label]?.length))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It may scroll on a phone.
    <div className={styles.scroller} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles.table}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Detail</VisuallyHidden>
            </th>
            {sides.map(({ title }, index) => (
              <th key={index} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visibleLabels.map((label) => (
            <tr key={label}>
              <th scope="row">
                {label}
                <Agreement values={sides.map((side) => side.cells[label] ?? [])} />
              </th>
              {sides.map(({ cells }, index) => (
                <td key={index}>
                  {cells[label]?.length ? (
                    <BreakableText text={cells[label].join(', ')} />
                  ) : (
                    <EmptyCell />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Lets the browser break email addresses at a dot or @, but not inside a word. */
const BreakableText = ({ text }: { text: string }) =>
  text.split(/(?<=@)|(?=\.)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))

const EmptyCell = () => <span className={kit.muted}>Not given</span>

function Agreement({ values }: { values: readonly (readonly string[])[] }) {
  const filledValues = values.filter((side) => side.length > 0)
  if (filledValues.length < 2) return null
  const [firstSide = new Set<string>(), ...otherSides] = filledValues.map(
    (side) => new Set(side.map(normalizeValue)),
  )
  const sharedValues = [...firstSide].filter((value) => otherSides.every((side) => side.has(value)))
  if (sharedValues.length === 0) return <Verdict isSame={false} label="different" />
  const isFullMatch = [firstSide, ...otherSides].every((side) => side.size === sharedValues.length)
  return <Verdict isSame label={isFullMatch ? 'same' : 'partly the same'} />
}

function Verdict({ isSame, label }: { isSame: boolean; label: string }) {
  const Icon = isSame ? IconEqual : IconEqualNot
  return (
    <span className={`${kit.line} ${styles.agreement}`} data-same={isSame}>
      <Icon size={14} aria-hidden /> {label}
    </span>
  )
}

const PHONE_NUMBER = /^[\d\s()+.-]+$/
/** Ignores the format and the country code of phone numbers, and the case of other text. */
const normalizeValue = (value: string) =>
  PHONE_NUMBER.test(value)
    ? value.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
    : value.toLowerCase()
