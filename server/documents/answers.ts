import type { GivenAnswer, Question } from '@tatami/contract/documents/document-texts'
import type { SignForm } from '@tatami/contract/documents/signing'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { invalid } from '../lib/refusal.ts'

const isValid: Record<Question['type'], (value: string, question: Question) => boolean> = {
  yes_no: (value) => value === 'yes' || value === 'no',
  text: () => true,
  choice: (value, { choices }) => choices.includes(value),
  date: (value) => isCalendarDate(value),
}

type CheckedAnswers = { answers: GivenAnswer[]; medical_answers: GivenAnswer[] }

/** Refuses missing and invalid answers with 422. Answers to unknown questions are ignored. */
export function checkAnswers(
  questions: readonly Question[],
  form: Pick<SignForm, 'answers'>,
): CheckedAnswers {
  const checkedAnswers: CheckedAnswers = { answers: [], medical_answers: [] }
  for (const question of questions) {
    const { key, label, is_required, is_medical, type } = question
    const value = form.answers.find((answer) => answer.key === key)?.value
    if (value === undefined && is_required)
      throw invalid(`answers.${key}`, `Please answer: ${label}`)
    if (value === undefined) continue
    if (!isValid[type](value, question))
      throw invalid(`answers.${key}`, `This answer is not valid: ${label}`)
    checkedAnswers[is_medical ? 'medical_answers' : 'answers'].push({ key, label, value })
  }
  return checkedAnswers
}
