import type { ConsentWording as Wording } from '@tatami/contract/texting/consent-agreement'

type Props = { wording: Wording }

export const ConsentWording = ({ wording: { opening, points = [], closing } }: Props) => (
  <>
    <p>{opening}</p>
    {points.length > 0 && (
      <ul>
        {points.map(([heading, text]) => (
          <li key={heading}>
            <b>{heading}</b> {text}
          </li>
        ))}
      </ul>
    )}
    {closing && <p>{closing}</p>}
  </>
)
