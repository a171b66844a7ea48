import {
  DEFAULT_DOCUMENT,
  type DocumentForm,
  type DocumentKind,
} from '@tatami/contract/documents/document-form'
import type { DocumentText, Question } from '@tatami/contract/documents/document-texts'
import type { DocumentDetails } from '@tatami/contract/documents/documents'
import { OUTLINES } from '@tatami/contract/documents/outlines'
import { newIdempotencyKey } from '../lib/api.ts'

export type Validity = 'for_good' | 'months' | 'day'

/** The value of an empty number field is ''. */
export type DocumentValues = Pick<
  DocumentForm,
  'name' | 'kind' | 'signer' | 'purpose' | 'due' | 'has_medical_answers_in_pdf'
> & {
  due_days: number | string
  validity: Validity
  valid_months: number | string
  valid_until_day: string
  min_age: number | string
  texts: DocumentText[]
}

export const newText = (kind: DocumentKind): DocumentText => ({
  language: 'en',
  body: OUTLINES[kind],
  questions: [],
})

export const newQuestion = (): Question => ({
  key: newIdempotencyKey().slice(0, 12),
  label: '',
  type: 'yes_no',
  choices: [],
  is_required: true,
  is_medical: false,
})

function validityOf({ valid_months, valid_until_day }: DocumentDetails): Validity {
  if (valid_months !== null) return 'months'
  return valid_until_day === null ? 'for_good' : 'day'
}

export function toDocumentValues(document: DocumentDetails | null): DocumentValues {
  if (!document)
    return {
      ...DEFAULT_DOCUMENT,
      name: 'Waiver',
      kind: 'waiver',
      due_days: 14,
      validity: 'for_good',
      valid_months: 12,
      valid_until_day: '08-31',
      has_medical_answers_in_pdf: false,
      texts: [newText('waiver')],
    }
  const { due_days, valid_months, valid_until_day, ...values } = document
  return {
    name: values.name,
    kind: values.kind,
    signer: values.signer,
    purpose: values.purpose,
    due: values.due,
    min_age: values.min_age,
    has_medical_answers_in_pdf: values.has_medical_answers_in_pdf,
    texts: values.texts,
    validity: validityOf(document),
    due_days: due_days ?? 14,
    valid_months: valid_months ?? 12,
    valid_until_day: valid_until_day ?? '08-31',
  }
}

export const toDocumentBody = ({
  validity,
  due_days,
  valid_months,
  valid_until_day,
  min_age,
  ...values
}: DocumentValues) => ({
  ...values,
  due_days: values.due === 'within_days' ? Number(due_days) : null,
  valid_months: validity === 'months' ? Number(valid_months) : null,
  valid_until_day: validity === 'day' ? valid_until_day : null,
  min_age: Number(min_age),
})
