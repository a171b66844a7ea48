import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type TextSubject, fillTemplate, SAMPLE_NAME } from '@tatami/contract/texting/message-types'
import { plainCharacters } from '@tatami/contract/lib/plain-characters'
import { type Substitutions, placeholderProblem } from '@tatami/contract/texting/placeholders'
import type { ReactNode } from 'react'
import { pluralize } from '../lib/text.ts'
import { savedSegments } from './segment-count.ts'
import sendStyles from './send-dialog.module.css'
import styles from './text-notes.module.css'
import kit from '../ui/kit.module.css'

export const isSendable = (text: string): boolean =>
  text.trim() !== '' && placeholderProblem(text, 'name') === null

type Words = { text: string; setText: (text: string) => void }

const SAMPLE: TextSubject[][] = [[{ name: SAMPLE_NAME }]]

type Props = Words & { filled?: Substitutions; about?: readonly (readonly TextSubject[])[] }

export const TextNotes = ({ text, setText, filled = 'name', about = SAMPLE }: Props) => (
  <>
    <PlaceholderNotice text={text} setText={setText} filled={filled} />
    <PlainOffer text={text} setText={setText} about={about} />
  </>
)

/** Shows only a red border if `PlaceholderNotice` below says the same. */
export const errorBesideNotice = (
  error: ReactNode,
  text: string,
  placeholders: Substitutions = 'name',
) => (error && error === placeholderProblem(text, placeholders)?.message ? true : error)

export function PlaceholderNotice({
  text,
  setText,
  filled = 'name',
}: Words & { filled?: Substitutions }) {
  const problem = placeholderProblem(text, filled)
  return (
    <div role="status">
      {problem && (
        <div className={`${kit.row} ${styles.note}`}>
          <p className={`${kit.red} ${sendStyles.warning}`}>
            <IconAlertTriangle size={20} aria-hidden />
            <span>{problem.message}</span>
          </p>
          {problem.right && (
            <Button
              variant="default"
              size="sm"
              onClick={() => setText(text.replaceAll(problem.written, problem.right ?? ''))}
            >
              Use {problem.right}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

export function PlainOffer({ text, setText, about = SAMPLE }: Omit<Props, 'filled'>) {
  const saving = savedSegments(text, plainCharacters(text), about)
  return (
    saving && (
      <div className={`${kit.row} ${styles.note}`}>
        <p className={kit.muted}>
          Curly quotes, long dashes or special spaces make this {pluralize(saving.now, 'segment')}.
          With plain ones it takes {saving.plain}.
        </p>
        <Button variant="default" size="sm" onClick={() => setText(plainCharacters(text))}>
          Use plain characters
        </Button>
      </div>
    )
  )
}

export const TextPreview = ({ caption, children }: { caption: string; children: ReactNode }) => (
  <figure className={styles.preview}>
    <figcaption className={kit.note}>{caption}</figcaption>
    <p>{children}</p>
  </figure>
)

export const ReminderText = ({ words }: { words: string }) => (
  <TextPreview caption={`What ${SAMPLE_NAME} would get`}>
    {fillTemplate(words, [{ name: SAMPLE_NAME }])}
  </TextPreview>
)
