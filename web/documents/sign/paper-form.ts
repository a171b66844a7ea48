import type { Question } from '@tatami/contract/documents/document-texts'
import type { OpenedLink, Paper } from '@tatami/contract/documents/signing'
import { createDrawing } from './drawing.ts'
import { choices, element, field, select } from './elements.ts'

export type FormValues = Record<string, unknown>
export type PaperForm = { node: HTMLFormElement; read: () => FormValues }

const RELATION_OPTIONS = [
  ['', 'Please choose'],
  ['mother', 'Mother'],
  ['father', 'Father'],
  ['grandparent', 'Grandparent'],
  ['guardian', 'Guardian'],
  ['other', 'Other'],
] as const
const YES_OR_NO = [
  ['yes', 'Yes'],
  ['no', 'No'],
] as const

const questionName = ({ key }: Pick<Question, 'key'>) => `answers.${key}`

function createQuestion(question: Question): HTMLElement {
  const { type, label, choices: options, is_required } = question
  const name = questionName(question)
  const text = is_required ? label : `${label} (optional)`
  if (type === 'yes_no') return choices(text, name, YES_OR_NO)
  if (type === 'choice')
    return choices(
      text,
      name,
      options.map((option) => [option, option]),
    )
  const input =
    type === 'date'
      ? element('input', { type: 'date', name })
      : element('textarea', { name, rows: '2' })
  return field(text, input)
}

const birthDateField = () =>
  field('Your date of birth', element('input', { type: 'date', name: 'date_of_birth' }))
const relationFields = (firstName: string) => [
  field(`How are you related to ${firstName}?`, select('relation', RELATION_OPTIONS)),
  field('Your phone number', element('input', { type: 'tel', name: 'phone', autocomplete: 'tel' })),
]

/** Asks who signs, if the link does not say it. */
function createSignerFields({ signer_kind, first_name, asks_birth_date }: OpenedLink): HTMLElement {
  const box = element('div', { class: 'field' })
  if (signer_kind === 'student' && asks_birth_date) box.append(birthDateField())
  if (signer_kind === 'other') box.append(...relationFields(first_name))
  if (signer_kind !== null) return box
  const details = element('div', { class: 'field' })
  const options = [
    ['child', `I’m an adult and sign for ${first_name}`],
    ['self', `I’m ${first_name} and sign for myself`],
  ] as const
  const showDetails = () => {
    const isSelf = box.querySelector<HTMLInputElement>('[value=self]')?.checked
    const fields = isSelf ? (asks_birth_date ? [birthDateField()] : []) : relationFields(first_name)
    details.replaceChildren(...fields)
  }
  box.append(choices('Who signs?', 'signs_for', options, showDetails), details)
  return box
}

const createEmailField = () =>
  field(
    'Email for your copy (optional)',
    element('input', { type: 'email', name: 'email', autocomplete: 'email' }),
  )

/** The questions, the name and the button. `read` returns the body of the request without the
 *  parts that the page knows. */
export function createPaperForm(
  link: OpenedLink,
  questions: Paper['versions'][number]['questions'],
  onSign: () => void,
): PaperForm {
  const drawing = createDrawing()
  const signedPerson = link.signer_kind === 'student' ? 'myself' : link.first_name
  const node = element(
    'form',
    { novalidate: true },
    ...questions.map(createQuestion),
    createSignerFields(link),
    field(
      'Your full name',
      element('input', { name: 'name', autocomplete: 'name', maxlength: '100' }),
      'Typing your name and pressing the button is your signature.',
    ),
    !link.has_email && createEmailField(),
    drawing.node,
    element('p', { class: 'error', role: 'alert', id: 'form-error' }),
    element('button', { class: 'primary', type: 'submit' }, `I sign for ${signedPerson}`),
  )
  node.addEventListener('submit', (event) => {
    event.preventDefault()
    onSign()
  })
  return { node, read: () => readForm(node, questions, drawing.read()) }
}

function readForm(
  form: HTMLFormElement,
  questions: readonly Question[],
  drawing: string | undefined,
): FormValues {
  const data = new FormData(form)
  const read = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const fields = ['name', 'signs_for', 'relation', 'phone', 'email', 'date_of_birth']
  return {
    ...Object.fromEntries(fields.map((name) => [name, read(name)])),
    answers: questions.map((question) => ({
      key: question.key,
      value: read(questionName(question)),
    })),
    drawing,
  }
}

/** Shows each error beside its field, or above the button if it has none. */
export function showErrors(
  form: HTMLElement,
  message: string,
  errors: readonly { field: string; message: string }[],
): void {
  for (const place of form.querySelectorAll('.error')) place.textContent = ''
  for (const invalidInput of form.querySelectorAll('[aria-invalid]'))
    invalidInput.removeAttribute('aria-invalid')
  const places = errors.flatMap(({ field: name, message: text }) => {
    const place = form.querySelector(`[id="${name}-error"]`)
    if (!place) return []
    place.textContent = text
    const input = form.querySelector<HTMLElement>(`[name="${name}"]`)
    input?.setAttribute('aria-invalid', 'true')
    return input ?? []
  })
  const [firstInput] = places
  if (firstInput) firstInput.focus()
  else {
    const alert = form.querySelector('#form-error')
    if (alert) alert.textContent = message
  }
}
