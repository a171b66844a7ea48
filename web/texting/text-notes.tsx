import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import {
  type MentionedStudent,
  fillTemplate,
  SAMPLE_NAME,
} from '@tatami/contract/texting/message-types'
import { toPlainCharacters } from '@tatami/contract/lib/plain-characters'
import { type Substitutions, findPlaceholderProblem } from '@tatami/contract/texting/placeholders'
import type { ReactNode } from 'react'
import { pluralize } from '../lib/text.ts'
import { findSegmentSaving } from './segment-count.ts'
import sendStyles from './send-dialog.module.css'
import styles from './text-notes.module.css'
import kit from '../ui/kit.module.css'

export const isSendable = (text: string): boolean =>
  text.trim() !== '' && findPlaceholderProblem(text, 'name') === null

type TextFieldProps = { text: string; setText: (text: string) => void }

const SAMPLE_RECIPIENTS: MentionedStudent[][] = [[{ name: SAMPLE_NAME }]]

type Props = TextFieldProps & {
  placeholders?: Substitutions
  recipients?: readonly (readonly MentionedStudent[])[]
}

export const TextNotes = ({
  text,
  setText,
  placeholders = 'name',
  recipients = SAMPLE_RECIPIENTS,
}: Props) => (
  <>
    <PlaceholderNotice text={text} setText={setText} placeholders={placeholders} />
    <PlainCharactersOffer text={text} setText={setText} recipients={recipients} />
  </>
)

/** Returns `true` if `PlaceholderNotice` already shows this error. The field then gets a red border
 *  without a message. */
export const omitNoticedError = (
  error: ReactNode,
  text: string,
  placeholders: Substitutions = 'name',
) => (error && error === findPlaceholderProblem(text, placeholders)?.message ? true : error)

export function PlaceholderNotice({
  text,
  setText,
  placeholders = 'name',
}: TextFieldProps & { placeholders?: Substitutions }) {
  const problem = findPlaceholderProblem(text, placeholders)
  return (
    <div role="status">
      {problem && (
        <div className={`${kit.row} ${styles.note}`}>
          <p className={`${kit.red} ${sendStyles.warning}`}>
            <IconAlertTriangle size={20} aria-hidden />
            <span>{problem.message}</span>
          </p>
          {problem.replacement && (
            <Button
              variant="default"
              size="sm"
              onClick={() =>
                setText(text.replaceAll(problem.placeholder, problem.replacement ?? ''))
              }
            >
              Use {problem.replacement}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

export function PlainCharactersOffer({
  text,
  setText,
  recipients = SAMPLE_RECIPIENTS,
}: Omit<Props, 'placeholders'>) {
  const saving = findSegmentSaving(text, toPlainCharacters(text), recipients)
  return (
    saving && (
      <div className={`${kit.row} ${styles.note}`}>
        <p className={kit.muted}>
          Curly quotes, long dashes or special spaces make this{' '}
          {pluralize(saving.currentCount, 'segment')}. With plain ones it takes {saving.plainCount}.
        </p>
        <Button variant="default" size="sm" onClick={() => setText(toPlainCharacters(text))}>
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

export const ReminderText = ({ text }: { text: string }) => (
  <TextPreview caption={`What ${SAMPLE_NAME} would get`}>
    {fillTemplate(text, [{ name: SAMPLE_NAME }])}
  </TextPreview>
)
