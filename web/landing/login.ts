/** Adds behavior to the login form in the HTML (login-form.tsx). */
import { cleanAddress } from '@tatami/contract/lib/clean-text'
import { profileApi } from '@tatami/contract/profile/profile'
import { ApiError, call, errorMessage } from '../lib/api.ts'
import { findElement } from '../lib/find-element.ts'
import { canUsePasskeys, hasUsedPasskey } from '../lib/passkeys.ts'
import { session } from '../lib/session.ts'
import type { DialogName } from './dialogs.tsx'

const LOAD_TIMEOUT_MS = 120_000
const loadDialogs = () => import('./dialogs.tsx')
const preloadDialogs = () => void loadDialogs().catch(() => {})

const dialogsInTime = () =>
  new Promise<Awaited<ReturnType<typeof loadDialogs>>>((resolve, reject) => {
    setTimeout(reject, LOAD_TIMEOUT_MS)
    loadDialogs().then(resolve, reject)
  })

function showFieldErrors(fields: HTMLInputElement[], errors: Record<string, string | undefined>) {
  for (const field of fields) {
    const error = findElement(`#${field.id}-error`)
    error.textContent = errors[field.name] ?? ''
    error.hidden = !errors[field.name]
    field.ariaInvalid = errors[field.name] ? 'true' : null
  }
  fields.find(({ name }) => errors[name])?.focus()
}

const errorsIn = (fields: HTMLInputElement[]) =>
  Object.fromEntries(
    fields.map(({ name, validity, value, dataset }) => [
      name,
      value.trim() === '' ? dataset.missing : validity.typeMismatch ? dataset.invalid : undefined,
    ]),
  )

function placeOf(field: HTMLElement): HTMLElement {
  const place = field.closest<HTMLElement>('.field')
  if (!place) throw new Error(`The field ${field.id} has no place`)
  return place
}

function listenToForm(form: HTMLElement) {
  const fields = [...form.querySelectorAll('input')]
  const [email, password, code] = fields as [HTMLInputElement, HTMLInputElement, HTMLInputElement]
  const submit = findElement('[type=submit]', form)
  const failure = findElement('[role=alert]', form)
  const sayFailure = (words: string) => {
    failure.hidden = words === ''
    findElement('span', failure).textContent = words
  }
  const logIn = async () => {
    // A pasted address may contain invisible characters, which the browser would reject.
    email.value = cleanAddress(email.value)
    const errors = errorsIn(fields.filter((field) => !placeOf(field).hidden))
    showFieldErrors(fields, errors)
    if (Object.values(errors).some(Boolean)) return
    sayFailure('')
    submit.ariaDisabled = 'true'
    try {
      const body = {
        email: email.value,
        password: password.value,
        ...(code.value && { code: code.value }),
      }
      session.start((await call(profileApi.login, { body })).token)
    } catch (error) {
      const fieldRefusals = error instanceof ApiError ? error.errors : []
      const codeRefusal = fieldRefusals.find(({ field }) => field === code.name)
      // The first request for a code is not an error, so its message is shown as a hint.
      if (codeRefusal && placeOf(code).hidden) return askForCode(codeRefusal.message)
      showFieldErrors(
        fields,
        Object.fromEntries(
          fieldRefusals.map(({ field, message }) => [field, message]).toReversed(),
        ),
      )
      if (fieldRefusals.length === 0) sayFailure(errorMessage(error, 'Login failed'))
    }
    submit.ariaDisabled = null
  }
  const askForCode = (words: string) => {
    placeOf(code).hidden = false
    findElement(`#${code.id}-hint`).textContent = words
    submit.ariaDisabled = null
    code.focus()
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (submit.ariaDisabled === null) void logIn()
  })
  for (const field of fields) field.addEventListener('input', () => showFieldErrors([field], {}))

  const eye = findElement('.show-password', form)
  // Keeps the focus in the field, and the phone's keyboard open.
  eye.addEventListener('mousedown', (event) => event.preventDefault())
  eye.addEventListener('click', () => {
    const isShown = password.type === 'text'
    password.type = isShown ? 'password' : 'text'
    eye.ariaLabel = isShown ? 'Show password' : 'Hide password'
  })
}

/** The passkey button, and the browser's own offer if a passkey was used here before. */
function listenToPasskey(form: HTMLElement) {
  if (!canUsePasskeys()) return
  const button = findElement('#passkey', form)
  const load = () => import('./passkey-button.ts')
  button.hidden = false
  button.addEventListener('click', () => void load().then(({ press }) => press(form, button)))
  if (hasUsedPasskey()) void load().then(({ offer }) => offer(form, button))
}

function listenToLinks(login: HTMLElement) {
  const failure = findElement(':scope > [role=alert]', login)
  const words = findElement('span', failure)
  const retryButton = findElement('button', failure)
  const fail = (message: string, dialogToRetry?: string) => {
    words.textContent = message
    retryButton.dataset.retried = dialogToRetry
    if (dialogToRetry) failure.append(retryButton)
    else retryButton.remove()
    failure.hidden = false
  }
  const open = async (name: DialogName, title: string) => {
    const dialogs = await dialogsInTime().catch(() => fail('The form could not be loaded.', name))
    dialogs?.showDialog(name, title)
  }
  const openReset = async (title: string) => {
    const options = await call(profileApi.signInOptions).catch(() =>
      fail('The server didn’t answer. Please try again.'),
    )
    if (options?.password_reset) await open('forgot-password', title)
    else if (options) window.alert('Forgot Password - Feature coming soon!')
  }
  const press = async (link: HTMLButtonElement) => {
    if (link.ariaBusy) return
    failure.hidden = true
    link.ariaBusy = 'true'
    await (link.id === 'forgot-password'
      ? openReset(link.textContent)
      : open('new-instructor', link.textContent))
    link.ariaBusy = null
  }
  for (const link of login.querySelectorAll<HTMLButtonElement>('.link'))
    link.addEventListener('click', () => void press(link))
  retryButton.addEventListener('click', () => {
    // Only a reload retries a failed import. The reloaded page opens the dialog.
    if (navigator.onLine) history.replaceState(history.state, '', `#${retryButton.dataset.retried}`)
    if (navigator.onLine) location.reload()
  })
  for (const event of ['focusin', 'pointerenter'])
    login.addEventListener(event, preloadDialogs, { once: true })
}

export function startLogin() {
  const login = findElement('[data-login]')
  const form = findElement('form', login)
  listenToForm(form)
  listenToPasskey(form)
  listenToLinks(login)
}
