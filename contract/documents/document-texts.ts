import { z } from 'zod'
import { emptyAsUndefined, flag, multiLineText, oneOf, singleLineText } from '../lib/fields.ts'

/** The languages in which a school can write a document. */
export const DOCUMENT_LANGUAGES = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  pt: 'Português',
} as const
export type DocumentLanguage = keyof typeof DOCUMENT_LANGUAGES
export const LANGUAGE_CODES = Object.keys(DOCUMENT_LANGUAGES) as [
  DocumentLanguage,
  ...DocumentLanguage[],
]

export const QUESTION_TYPES = ['yes_no', 'text', 'choice', 'date'] as const
const MAX_QUESTIONS = 20
const MAX_CHOICES = 10
export const MAX_BODY_LENGTH = 20_000
export const MAX_ANSWER_LENGTH = 500

const QUESTION_ID = /^[a-z\d-]{1,40}$/
const questionId = () =>
  z
    .string({ error: 'A question needs a name' })
    .max(40, 'The name of a question is not valid')
    .regex(QUESTION_ID, 'The name of a question is not valid')

const questionFields = z.object(
  {
    /** The same question has the same key in each language. */
    key: questionId(),
    label: singleLineText('Question', 300),
    type: oneOf('Type', QUESTION_TYPES),
    /** Only for a question of type `choice`. */
    choices: z
      .array(singleLineText('Choice', 100), 'Choices must be a list')
      .max(MAX_CHOICES, `At most ${MAX_CHOICES} choices`),
    is_required: flag('Required'),
    /** Only staff with the right to medical notes may read the answer. */
    is_medical: flag('Medical'),
  },
  'A question must be an object',
)

const hasChoicesIfNeeded = ({ type, choices }: z.output<typeof questionFields>) =>
  type !== 'choice' || choices.length >= 2

export const question = questionFields.refine(hasChoicesIfNeeded, {
  error: 'A question needs at least two choices',
  path: ['choices'],
})
export type Question = z.output<typeof question>

const hasUniqueKeys = (questions: Question[]) =>
  new Set(questions.map(({ key }) => key)).size === questions.length

export const documentText = z.object(
  {
    language: oneOf('Language', LANGUAGE_CODES),
    /** Marked text (`parseMarkedText`), never HTML. */
    body: multiLineText('Text', MAX_BODY_LENGTH),
    questions: z
      .array(question, 'Questions must be a list')
      .max(MAX_QUESTIONS, `At most ${MAX_QUESTIONS} questions`)
      .refine(hasUniqueKeys, 'Each question needs a name of its own'),
  },
  'A text must be an object',
)
export type DocumentText = z.output<typeof documentText>

const hasUniqueLanguages = (texts: DocumentText[]) =>
  new Set(texts.map(({ language }) => language)).size === texts.length

const describeQuestion = ({ key, type, choices, is_required, is_medical }: Question) =>
  [key, type, choices.length, is_required, is_medical].join()

/** A translation may change only the words of the questions. */
const haveSameQuestions = (texts: DocumentText[]) =>
  new Set(texts.map(({ questions }) => questions.map(describeQuestion).join(';'))).size <= 1

export const documentTexts = z
  .array(documentText, 'Texts must be a list')
  .min(1, 'Text is required')
  .max(LANGUAGE_CODES.length, `At most ${LANGUAGE_CODES.length} languages`)
  .refine(hasUniqueLanguages, 'Each language can have one text')
  .refine(haveSameQuestions, 'Each language needs the same questions')

export const answer = z.object(
  {
    key: questionId(),
    /** `yes` or `no`, a text, one of the choices, or a date such as 2026-11-27. */
    value: emptyAsUndefined(multiLineText('Answer', MAX_ANSWER_LENGTH)),
  },
  'An answer must be an object',
)
export const answers = z
  .array(answer, 'Answers must be a list')
  .max(MAX_QUESTIONS, `At most ${MAX_QUESTIONS} answers`)

/** An answer with the question as it was asked. */
export const givenAnswer = z.object({ key: z.string(), label: z.string(), value: z.string() })
export type GivenAnswer = z.output<typeof givenAnswer>
