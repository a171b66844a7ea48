import { wordingOf } from '@tatami/contract/consent-wordings'

/** The words of an agreement, as whoever agreed has read them. */
export function ConsentWording({ version }: { version: string }) {
  const wording = wordingOf(version)
  if (!wording) return null
  const { opening, points = [], closing } = wording
  return (
    <>
      <p>{opening}</p>
      {points.length > 0 && (
        <ul>
          {points.map(([about, text]) => (
            <li key={about}>
              <b>{about}</b> {text}
            </li>
          ))}
        </ul>
      )}
      {closing && <p>{closing}</p>}
    </>
  )
}
