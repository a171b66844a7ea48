import { documentsApi } from '@tatami/contract/documents/documents'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'

const DOCUMENT = {
  name: 'Waiver',
  kind: 'waiver',
  signer: 'guardian',
  purpose: 'everybody',
  due: 'before',
  has_medical_answers_in_pdf: false,
  texts: [
    {
      language: 'en',
      body: '# Risks\nTraining has risks.\n- Falls\n- Bruises',
      questions: [
        {
          key: 'swim',
          label: 'Can your child swim?',
          type: 'yes_no',
          choices: [],
          is_required: true,
          is_medical: false,
        },
      ],
    },
  ],
} as const

/** Publishes a waiver with a question. Returns its id. */
export async function publishWaiver(
  dojo: Dojo,
  { hasSpanishText = false, isMedical = false } = {},
): Promise<string> {
  const [englishText] = DOCUMENT.texts
  const questions = englishText.questions.map((question) => ({
    ...question,
    choices: [],
    is_medical: isMedical,
  }))
  const spanishText = { language: 'es' as const, body: 'Entrenar tiene riesgos.', questions }
  const body = {
    ...DOCUMENT,
    texts: [{ ...englishText, questions }, ...(hasSpanishText ? [spanishText] : [])],
  }
  const { document } = await call(documentsApi.create, { body }, dojo.token)
  await call(
    documentsApi.publish,
    { params: { id: document.id }, body: { resign: 'all' } },
    dojo.token,
  )
  return document.id
}

type LinkFields = { guardian_id?: string; is_somebody_else?: boolean }

/** Creates a link with which somebody signs on the instructor’s device. Returns its path. */
export async function createSigningPath(
  dojo: Dojo,
  studentId: string,
  documentId: string,
  fields: LinkFields = {},
): Promise<string> {
  const { link } = await call(
    documentsApi.createLink,
    {
      params: { id: studentId },
      body: { document_ids: [documentId], by: 'device', ...fields },
    },
    dojo.token,
  )
  return (link ?? '').replace(/^.*\/sign#/, '/sign#')
}
