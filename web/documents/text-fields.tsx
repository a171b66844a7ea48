import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import {
  DOCUMENT_LANGUAGES,
  type DocumentLanguage,
  type DocumentText,
  LANGUAGE_CODES,
  MAX_BODY_LENGTH,
  type Question,
} from '@tatami/contract/documents/document-texts'
import type { ReactNode } from 'react'
import { newQuestion } from './document-values.ts'
import kit from '../ui/kit.module.css'

type Errors = Record<string, ReactNode>
type Props = {
  texts: readonly DocumentText[]
  errors: Errors
  onChange: (texts: DocumentText[]) => void
}

const MARKUP_HINT = 'Begin a line with “# ” for a heading and with “- ” for a list.'

/** The text in each language, with its questions. Each language needs the same questions. */
export function TextFields({ texts, errors, onChange }: Props) {
  const change = (index: number, text: DocumentText) => onChange(texts.with(index, text))
  const unusedLanguage = LANGUAGE_CODES.find(
    (code) => !texts.some(({ language }) => language === code),
  )
  const [firstText] = texts
  return (
    <>
      {texts.map((text, index) => (
        <div key={text.language} className={kit.stackSmall}>
          {texts.length > 1 && (
            <LanguageField
              text={text}
              onChange={(newText) => change(index, newText)}
              onRemove={() => onChange(texts.toSpliced(index, 1))}
            />
          )}
          <Textarea
            label={`Text${texts.length > 1 ? ` (${DOCUMENT_LANGUAGES[text.language]})` : ''}`}
            description={MARKUP_HINT}
            value={text.body}
            error={errors[`texts.${index}.body`]}
            onChange={({ currentTarget }) => change(index, { ...text, body: currentTarget.value })}
            maxLength={MAX_BODY_LENGTH}
            autosize
            minRows={8}
            maxRows={20}
            required
          />
          <QuestionFields
            questions={text.questions}
            errors={errors}
            path={`texts.${index}.questions`}
            onChange={(questions) => change(index, { ...text, questions })}
          />
        </div>
      ))}
      {typeof errors.texts === 'string' && <p className={kit.red}>{errors.texts}</p>}
      {unusedLanguage && firstText && (
        <div>
          <Button
            variant="default"
            onClick={() => onChange([...texts, { ...firstText, language: unusedLanguage }])}
          >
            Add a language
          </Button>
        </div>
      )}
    </>
  )
}

type LanguageProps = {
  text: DocumentText
  onChange: (text: DocumentText) => void
  onRemove: () => void
}

const LanguageField = ({ text, onChange, onRemove }: LanguageProps) => (
  <div className={kit.spread}>
    <NativeSelect
      label="Language"
      value={text.language}
      data={LANGUAGE_CODES.map((value) => ({ value, label: DOCUMENT_LANGUAGES[value] }))}
      onChange={({ currentTarget }) =>
        onChange({ ...text, language: currentTarget.value as DocumentLanguage })
      }
    />
    <Button variant="subtle" color="red" onClick={onRemove}>
      Remove
    </Button>
  </div>
)

type QuestionsProps = {
  questions: readonly Question[]
  errors: Errors
  path: string
  onChange: (questions: Question[]) => void
}

const QuestionFields = ({ questions, errors, path, onChange }: QuestionsProps) => (
  <>
    {questions.map((question, index) => (
      <QuestionRow
        key={question.key}
        question={question}
        labelError={errors[`${path}.${index}.label`]}
        choicesError={errors[`${path}.${index}.choices`]}
        onChange={(newValue) => onChange(questions.with(index, newValue))}
        onRemove={() => onChange(questions.toSpliced(index, 1))}
      />
    ))}
    <div>
      <Button variant="default" onClick={() => onChange([...questions, newQuestion()])}>
        Add a question
      </Button>
    </div>
  </>
)

const TYPE_OPTIONS = [
  { value: 'yes_no', label: 'Yes or no' },
  { value: 'text', label: 'Text' },
  { value: 'choice', label: 'Choice' },
  { value: 'date', label: 'Date' },
]

type RowProps = {
  question: Question
  labelError: ReactNode
  choicesError: ReactNode
  onChange: (question: Question) => void
  onRemove: () => void
}

const splitLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

function QuestionRow({ question, labelError, choicesError, onChange, onRemove }: RowProps) {
  const { label, type, choices, is_required, is_medical } = question
  return (
    <div className={`${kit.stackSmall} ${kit.sunken}`}>
      <TextInput
        label="Question"
        value={label}
        error={labelError}
        onChange={({ currentTarget }) => onChange({ ...question, label: currentTarget.value })}
        maxLength={300}
      />
      <NativeSelect
        label="Answer"
        value={type}
        data={TYPE_OPTIONS}
        onChange={({ currentTarget }) =>
          onChange({ ...question, type: currentTarget.value as Question['type'] })
        }
      />
      {type === 'choice' && (
        <Textarea
          label="Choices, one on each line"
          defaultValue={choices.join('\n')}
          error={choicesError}
          onChange={({ currentTarget }) =>
            onChange({ ...question, choices: splitLines(currentTarget.value) })
          }
          minRows={2}
          autosize
        />
      )}
      <Checkbox
        label="Required"
        checked={is_required}
        onChange={({ currentTarget }) =>
          onChange({ ...question, is_required: currentTarget.checked })
        }
      />
      <Checkbox
        label="Medical: only staff who may see medical notes read the answer"
        checked={is_medical}
        onChange={({ currentTarget }) =>
          onChange({ ...question, is_medical: currentTarget.checked })
        }
      />
      <div>
        <Button variant="subtle" color="red" onClick={onRemove}>
          Remove question
        </Button>
      </div>
    </div>
  )
}
