import { Button, Textarea } from '@mantine/core'
import { SAMPLE_NAME, fillTemplate } from '@tatami/contract/message-types'
import { type ComponentProps, useRef } from 'react'
import styles from './words-field.module.css'

const NAME = '{name}'

type Props = Omit<ComponentProps<typeof Textarea>, 'value'> & { value?: string; setValue: (words: string) => void }

/** The message, and how it will read. Braces are hard to find on a phone, so a button writes them. */
export function WordsField({ value = '', setValue, ...rest }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = () => {
    const { selectionStart: from = value.length, selectionEnd: to = from } = field.current ?? {}
    setValue(`${value.slice(0, from)}${NAME}${value.slice(to)}`)
    field.current?.focus()
    requestAnimationFrame(() => field.current?.setSelectionRange(from + NAME.length, from + NAME.length))
  }
  return (
    <div className={styles.words}>
      <Textarea
        label="Message"
        description="{name} becomes the student's first name."
        autosize
        minRows={3}
        value={value}
        ref={field}
        {...rest}
      />
      <Button variant="subtle" size="sm" className={styles.insert} onClick={insert}>
        Insert {NAME}
      </Button>
      <figure className={styles.preview}>
        <figcaption>Preview</figcaption>
        <p>{fillTemplate(value.trim(), SAMPLE_NAME) || <span className={styles.nothing}>Nothing written yet</span>}</p>
      </figure>
    </div>
  )
}
