import { cleanContactText } from '@tatami/contract/lib/clean-text'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { profileApi } from '@tatami/contract/profile/profile'
import { ApiError, call, errorMessage } from '../lib/api.ts'
import { findElement } from '../lib/find-element.ts'
import { canUsePasskeys, hasUsedPasskey } from '../lib/passkeys.ts'
import { session } from '../lib/session.ts'
import type { DialogName } from './dialogs.tsx'

const LOAD_TIMEOUT_MS = 120_000
const loadDialogs = () => import('./dialogs.tsx')
const preloadDialogs = () => void loadDialogs().catch(() => {})

const loadDialogsInTime = () =>
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

function validateField({ value, validity, dataset }: HTMLInputElement): string | undefined {
  if (value.trim() === '') return dataset.missing
  return validity.typeMismatch ? dataset.invalid : undefined
}
const validateFields = (fields: HTMLInputElement[]) =>
  Object.fromEntries(fields.map((field) => [field.name, validateField(field)]))

const fieldContainer = (field: HTMLElement) =>
  mustExist(field.closest<HTMLElement>('.field'), `The container of ${field.id}`)

function setUpForm(form: HTMLElement) {
  const fields = [...form.querySelectorAll('input')]
  const findField = (name: string) =>
    mustExist(
      fields.find((field) => field.name === name),
      `The field ${name}`,
    )
  const email = findField('email')
  const password = findField('password')
  const code = findField('code')
  const submitButton = findElement('[type=submit]', form)
  const failureNotice = findElement('[role=alert]', form)
  const showFailure = (message: string) => {
    failureNotice.hidden = message === ''
    findElement('span', failureNotice).textContent = message
  }
  const logIn = async () => {
    // A pasted email may contain invisible characters, which the browser would reject.
    email.value = cleanContactText(email.value)
    const errors = validateFields(fields.filter((field) => !fieldContainer(field).hidden))
    showFieldErrors(fields, errors)
    if (Object.values(errors).some(Boolean)) return
    showFailure('')
    submitButton.ariaDisabled = 'true'
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
      // When the server asks for a code for the first time, this is a hint, not an error.
      if (codeRefusal && fieldContainer(code).hidden) return showCodeField(codeRefusal.message)
      const errorByField: Record<string, string> = {}
      for (const { field, message } of fieldRefusals) errorByField[field] ??= message
      showFieldErrors(fields, errorByField)
      if (fieldRefusals.length === 0) showFailure(errorMessage(error, 'Login failed'))
    }
    submitButton.ariaDisabled = null
  }
  const showCodeField = (message: string) => {
    fieldContainer(code).hidden = false
    findElement(`#${code.id}-hint`).textContent = message
    submitButton.ariaDisabled = null
    code.focus()
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (submitButton.ariaDisabled === null) void logIn()
  })
  for (const field of fields) field.addEventListener('input', () => showFieldErrors([field], {}))
  setUpShowPassword(form, password)
}

function setUpShowPassword(form: HTMLElement, password: HTMLInputElement) {
  const button = findElement('.show-password', form)
  // Keeps the focus in the field, and the phone's keyboard open.
  button.addEventListener('mousedown', (event) => event.preventDefault())
  button.addEventListener('click', () => {
    const isVisible = password.type === 'text'
    password.type = isVisible ? 'password' : 'text'
    button.ariaLabel = isVisible ? 'Show password' : 'Hide password'
  })
}

function setUpPasskeyButton(form: HTMLElement) {
  if (!canUsePasskeys()) return
  const button = findElement('#passkey', form)
  const loadPasskeys = () => import('./passkey-button.ts')
  button.hidden = false
  button.addEventListener(
    'click',
    () => void loadPasskeys().then(({ logInWithPasskey }) => logInWithPasskey(form, button)),
  )
  if (hasUsedPasskey()) void loadPasskeys().then(({ offerPasskeys }) => offerPasskeys(form, button))
}

function setUpLinks(login: HTMLElement) {
  const failureNotice = findElement(':scope > [role=alert]', login)
  const messageElement = findElement('span', failureNotice)
  const retryButton = findElement('button', failureNotice)
  const showFailure = (message: string, dialogToRetry?: string) => {
    messageElement.textContent = message
    retryButton.dataset.dialog = dialogToRetry
    if (dialogToRetry) failureNotice.append(retryButton)
    else retryButton.remove()
    failureNotice.hidden = false
  }
  const openDialog = async (name: DialogName, title: string) => {
    const dialogs = await loadDialogsInTime().catch(() =>
      showFailure('The form could not be loaded.', name),
    )
    dialogs?.showDialog(name, title)
  }
  const openReset = async (title: string) => {
    const options = await call(profileApi.signInOptions).catch(() =>
      showFailure('The server didn’t answer. Please try again.'),
    )
    if (options?.password_reset) await openDialog('forgot-password', title)
    else if (options) window.alert('Forgot Password - Feature coming soon!')
  }
  const openLink = async (link: HTMLButtonElement) => {
    if (link.ariaBusy) return
    failureNotice.hidden = true
    link.ariaBusy = 'true'
    await (link.id === 'forgot-password'
      ? openReset(link.textContent)
      : openDialog('new-instructor', link.textContent))
    link.ariaBusy = null
  }
  for (const link of login.querySelectorAll<HTMLButtonElement>('.link'))
    link.addEventListener('click', () => void openLink(link))
  retryButton.addEventListener('click', () => {
    if (!navigator.onLine) return
    // Browsers do not repeat a failed import. After a reload, the page opens the dialog in its
    // hash.
    history.replaceState(history.state, '', `#${retryButton.dataset.dialog}`)
    location.reload()
  })
  for (const event of ['focusin', 'pointerenter'])
    login.addEventListener(event, preloadDialogs, { once: true })
}

export function startLogin() {
  const login = findElement('[data-login]')
  const form = findElement('form', login)
  setUpForm(form)
  setUpPasskeyButton(form)
  setUpLinks(login)
}
