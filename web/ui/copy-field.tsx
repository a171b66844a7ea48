import { Button, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import styles from './copy-field.module.css'

type Props = { label: string; value: string; onCopy?: () => void }

export function CopyField({ label, value, onCopy }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [copiedValue, setCopiedValue] = useState<string>()
  const isCopied = copiedValue === value
  const copy = async () => {
    onCopy?.()
    field.current?.select()
    // The clipboard needs https. Without it, the user copies the selected text manually.
    await (navigator.clipboard as Clipboard | undefined)?.writeText(value).then(
      () => setCopiedValue(value),
      () => {},
    )
  }
  return (
    <div className={styles.field}>
      <TextInput
        ref={field}
        label={label}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        miw="7.5rem"
        leftSection={
          isCopied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />
        }
        onClick={() => void copy()}
      >
        <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
      </Button>
    </div>
  )
}
