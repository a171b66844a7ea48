import { Button, Textarea } from '@mantine/core'
import { IconClipboard, IconFileSpreadsheet } from '@tabler/icons-react'
import { MAX_IMPORT_ROWS } from '@tatami/contract/import/import-form'
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './import-students.module.css'
import { SheetError } from './delimited-text.ts'
import { FileQuestionPanel } from './file-question.tsx'
import type { FileQuestion, SheetTable } from './read-table.ts'
import kit from '../ui/kit.module.css'

const loadParser = () => import('./read-table.ts')
type Parser = Awaited<ReturnType<typeof loadParser>>
type SheetResult = SheetTable | FileQuestion

const FILE_TYPES =
  '.csv,.tsv,.txt,.xlsx,.xls,text/csv,' +
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const EMPTY = 'This sheet is empty.'
const ONLY_HEADINGS =
  'This sheet has only headings. Copy or export the rows of your students together with them.'
const NO_ROWS_IN_SHEET = 'We found no students in this sheet. Choose another one.'
const UNREADABLE =
  'This file could not be read. Save it as CSV or XLSX, or copy its cells and paste them here.'
/** Rows above the students, such as titles and headings, do not count toward the limit. */
const MAX_HEADING_ROWS = 10
const formatTooManyRows = (count: number) =>
  `This sheet has ${count.toLocaleString()} rows. ` +
  `Import at most ${MAX_IMPORT_ROWS.toLocaleString()} at a time.`

/** `onTable` returns the number of rows with students. */
type Props = { onTable: (table: SheetTable) => number }

function useSheetReader(onTable: Props['onTable']) {
  const [error, setError] = useState('')
  const [question, setQuestion] = useState<FileQuestion | null>(null)
  const loadTable = (table: SheetTable, noRowsMessage?: string) => {
    setError('')
    if (table.rows.length > MAX_IMPORT_ROWS + MAX_HEADING_ROWS)
      return setError(formatTooManyRows(table.rows.length))
    const isEmpty = table.rows.every((cells) => cells.every((cell) => cell.trim() === ''))
    const rowCount = onTable(table)
    if (rowCount === 0) setError(noRowsMessage ?? (isEmpty ? EMPTY : ONLY_HEADINGS))
    else if (rowCount > MAX_IMPORT_ROWS) setError(formatTooManyRows(rowCount))
  }
  const read = async (readSheet: (parser: Parser) => Promise<SheetResult> | SheetResult) => {
    setError('')
    setQuestion(null)
    try {
      const parser = await loadParser()
      const result = await readSheet(parser)
      if (parser.isQuestion(result)) setQuestion(result)
      else loadTable(result)
    } catch (readError) {
      setError(readError instanceof SheetError ? readError.message : UNREADABLE)
    }
  }
  const answerQuestion = (table: SheetTable) => loadTable(table, NO_ROWS_IN_SHEET)
  const readText = (text: string) => void read((parser) => parser.readText(text))
  const readFile = (file: File | undefined) => file && void read((parser) => parser.readFile(file))
  return { readText, readFile, answerQuestion, question, error, setError }
}

type SheetReader = ReturnType<typeof useSheetReader>

/** Accepts pasted text with the focus anywhere, because nothing else on the screen takes text. */
function usePaste({ readText, readFile }: Pick<SheetReader, 'readText' | 'readFile'>) {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    event.preventDefault()
    const text = event.clipboardData?.getData('text/plain')
    if (text) readText(text)
    else readFile(event.clipboardData?.files[0])
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => paste(event)
    window.addEventListener('paste', listen)
    return () => window.removeEventListener('paste', listen)
  }, [])
}

export function ChooseSheet({ onTable }: Props) {
  const { readText, readFile, answerQuestion, question, error, setError } = useSheetReader(onTable)
  usePaste({ readText, readFile })
  const [isDraggingOver, setIsDraggingOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsDraggingOver(false)
    const text = event.dataTransfer.getData('text/plain')
    if (event.dataTransfer.files.length > 0) readFile(event.dataTransfer.files[0])
    else if (text) readText(text)
  }
  return (
    <div
      className={styles.dropZone}
      data-over={isDraggingOver}
      onDragOver={(event) => {
        event.preventDefault()
        setIsDraggingOver(true)
      }}
      onDragLeave={() => setIsDraggingOver(false)}
      onDrop={drop}
    >
      <h2 className={kit.titleLarge}>Paste your list, or drop a file</h2>
      <p className={kit.muted}>
        Copy the rows with their headings from Google Sheets or Excel, or use a CSV or XLSX export
        from Gymdesk, Kicksite or Zen Planner. Nothing is saved until you confirm.
      </p>
      <Textarea
        label="Paste here"
        rows={4}
        value=""
        onChange={(event) => readText(event.currentTarget.value)}
        onFocus={() => void loadParser().catch(() => {})}
        classNames={{ input: styles.paste ?? '' }}
      />
      <div className={kit.row}>
        <PasteButton onText={readText} onError={setError} />
        <FileButton onFile={readFile} />
      </div>
      <ErrorNotice>{error}</ErrorNotice>
      {question && <FileQuestionPanel question={question} onAnswer={answerQuestion} />}
    </div>
  )
}

type PasteProps = { onText: (text: string) => void; onError: (message: string) => void }

const PasteButton = ({ onText, onError }: PasteProps) =>
  'clipboard' in navigator &&
  'readText' in navigator.clipboard && (
    <Button
      variant="default"
      leftSection={<IconClipboard size={20} aria-hidden />}
      onClick={() =>
        void navigator.clipboard
          .readText()
          .then(onText, () =>
            onError('The browser blocked the clipboard. Paste into the field instead.'),
          )
      }
    >
      Paste
    </Button>
  )

function FileButton({ onFile }: { onFile: (file: File | undefined) => void }) {
  const fileInput = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileSpreadsheet size={20} aria-hidden />}
        onClick={() => fileInput.current?.click()}
      >
        Choose a file
      </Button>
      <input
        ref={fileInput}
        type="file"
        aria-label="CSV or XLSX file"
        hidden
        accept={FILE_TYPES}
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
