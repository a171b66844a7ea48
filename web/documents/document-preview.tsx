import type { DocumentText } from '@tatami/contract/documents/document-texts'
import { parseMarkedText } from '@tatami/contract/documents/marked-text'
import { Disclosure } from '../ui/disclosure.tsx'
import styles from './document-preview.module.css'
import kit from '../ui/kit.module.css'

type Props = { name: string; text: DocumentText | undefined }

/** How the text looks on a phone. */
export const DocumentPreview = ({ name, text }: Props) => (
  <Disclosure summary="Preview on a phone">
    <div className={`${kit.card} ${styles.phone}`} lang={text?.language}>
      <p className={kit.strong}>{name}</p>
      <DocumentBody body={text?.body ?? ''} />
      {text?.questions.map(({ key, label }) => (
        <p key={key}>{label}</p>
      ))}
    </div>
  </Disclosure>
)

export const DocumentBody = ({ body }: { body: string }) => (
  <div className={styles.text}>
    {parseMarkedText(body).map(({ kind, text }, index) => (
      <p key={index} data-kind={kind}>
        {text}
      </p>
    ))}
  </div>
)
