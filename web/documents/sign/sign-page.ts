/** The page on which people sign. It is small and without React, because many open it once, on the
 *  phone that they have in their pocket. */
import { DISCLOSURE_AGREEMENT } from '@tatami/contract/documents/disclosure'
import { DOCUMENT_LANGUAGES } from '@tatami/contract/documents/document-texts'
import { parseMarkedText } from '@tatami/contract/documents/marked-text'
import {
  type OpenedLink,
  type Paper,
  type SignResult,
  signingApi,
} from '@tatami/contract/documents/signing'
import { element, field, findPart, select } from './elements.ts'
import { createPaperForm, type FormValues, showErrors } from './paper-form.ts'
import { FailedRequest, request, requestFile } from './requests.ts'

type Version = Paper['versions'][number]

const NO_NETWORK =
  'There is no connection, so nothing was signed. Please try again, or ask for a form on paper.'
const describeFailure = (error: unknown): string =>
  error instanceof FailedRequest ? (error.detail ?? NO_NETWORK) : 'Please try again.'

/** Moves the focus to the heading, so that screen readers notice the new content. */
function show(...content: (Node | string | null)[]): void {
  const main = findPart('#sign')
  main.replaceChildren(...content.filter((node) => node !== null))
  const heading = main.querySelector('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus()
  scrollTo(0, 0)
}

const createHeader = ({ dojo_name, dojo_logo }: OpenedLink): HTMLElement =>
  element(
    'header',
    {},
    dojo_logo !== null && element('img', { src: dojo_logo, alt: '' }),
    dojo_name,
  )

function createText({ body, language }: Version): HTMLElement {
  const text = element('div', { class: 'card', lang: language })
  let list: HTMLUListElement | null = null
  for (const block of parseMarkedText(body)) {
    if (block.kind === 'item') {
      list ??= element('ul')
      if (!list.parentNode) text.append(list)
      list.append(element('li', {}, block.text))
    } else {
      list = null
      text.append(element(block.kind === 'heading' ? 'h3' : 'p', {}, block.text))
    }
  }
  return text
}

type SignPage = { token: string; link: OpenedLink }

function createDisclosure({ link }: SignPage, onAgree: (agrees: boolean) => void): HTMLElement {
  const box = element('input', { type: 'checkbox', id: 'agrees' })
  box.addEventListener('change', () => onAgree(box.checked))
  const paperWay = element(
    'p',
    { hidden: true },
    `Please ask ${link.dojo_name} for a printed copy. You can also print this page, sign it and `,
    'hand it in.',
  )
  return element(
    'section',
    { class: 'no-print' },
    element('h2', {}, 'Before you read'),
    element('ul', {}, ...link.disclosure.map((line) => element('li', {}, line))),
    element('label', { class: 'choice' }, box, DISCLOSURE_AGREEMENT),
    element(
      'button',
      {
        type: 'button',
        class: 'quiet',
        onclick: () => {
          paperWay.hidden = false
          findPart('#paper').hidden = false
        },
      },
      'I’d rather sign on paper',
    ),
    paperWay,
  )
}

/** The version in a language that the browser prefers, else the first. */
function findPreferredVersion(versions: readonly Version[]): Version | undefined {
  const preferredLanguages = navigator.languages.map((code) => code.slice(0, 2))
  const language = preferredLanguages.find((code) =>
    versions.some((version) => version.language === code),
  )
  return versions.find((version) => version.language === language) ?? versions[0]
}

/** Null if there is only one language. English has a button of its own, because many schools wrote
 *  the other texts as translations of it. */
function createLanguageField(
  versions: readonly Version[],
  chosenVersion: Version,
  onChoose: (version: Version) => void,
): HTMLElement | null {
  if (versions.length < 2) return null
  const input = select(
    'language',
    versions.map(({ language }) => [language, DOCUMENT_LANGUAGES[language]]),
  )
  const english = element(
    'button',
    {
      type: 'button',
      class: 'quiet',
      lang: 'en',
      onclick: () => {
        input.value = 'en'
        input.dispatchEvent(new Event('change'))
      },
    },
    'Read it in English',
  )
  const hasEnglish = versions.some(({ language }) => language === 'en')
  const hideOrShowEnglish = () => {
    english.hidden = input.value === 'en' || !hasEnglish
  }
  input.value = chosenVersion.language
  hideOrShowEnglish()
  input.addEventListener('change', () => {
    const version = versions.find(({ language }) => language === input.value)
    if (version) onChoose(version)
    hideOrShowEnglish()
  })
  return element('div', {}, field('Language', input), english)
}

function showPaper(page: SignPage): void {
  const { link } = page
  const [paper] = link.papers
  const firstVersion = findPreferredVersion(paper?.versions ?? [])
  if (!paper || !firstVersion) return showMessage('There is nothing to sign anymore. Thank you.')
  const content = element('div')
  const formBox = element('div', { hidden: true })
  const showVersion = (version: Version) => {
    content.replaceChildren(createText(version))
    const form = createPaperForm(link, version.questions, () => {
      void sign(page, { paper, version, values: form.read() }, form.node)
    })
    formBox.replaceChildren(form.node)
  }
  showVersion(firstVersion)
  const paperSection = element(
    'section',
    { id: 'paper', hidden: true },
    element('h2', {}, paper.name),
    createLanguageField(paper.versions, firstVersion, showVersion),
    content,
  )
  show(
    createHeader(link),
    element('h1', {}, `Sign for ${link.first_name}`),
    link.papers.length > 1 ? element('p', {}, `${link.papers.length} papers to sign`) : null,
    createDisclosure(page, (agrees) => {
      paperSection.hidden = !agrees
      formBox.hidden = !agrees
    }),
    paperSection,
    formBox,
    createRefusal(page),
  )
}

function createRefusal({ token, link }: SignPage): HTMLElement {
  const label = link.signer_kind === 'student' ? 'This is not me' : 'Not my child'
  const refuse = async () => {
    try {
      await request(signingApi.refuse, { token })
      showMessage('Thank you. This link no longer works, and the school knows about it.')
    } catch (error) {
      showMessage(describeFailure(error))
    }
  }
  return element('button', { type: 'button', class: 'quiet', onclick: () => void refuse() }, label)
}

type SignedPaper = { paper: Paper; version: Version; values: FormValues }
let isSending = false

async function sign(
  page: SignPage,
  { paper, version, values }: SignedPaper,
  form: HTMLFormElement,
): Promise<void> {
  if (isSending) return
  isSending = true
  const button = findPart('[type=submit]', form)
  button.ariaDisabled = 'true'
  try {
    const body = {
      ...values,
      token: page.token,
      document_id: paper.document_id,
      version_id: version.version_id,
      disclosure_version: page.link.disclosure_version,
      agrees_to_disclosure: true,
    }
    showResult(page, await request(signingApi.sign, body as never))
  } catch (error) {
    showErrors(form, describeFailure(error), error instanceof FailedRequest ? error.errors : [])
  }
  button.ariaDisabled = null
  isSending = false
}

const formatTime = ({ signed_at, time_zone }: SignResult): string =>
  new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: time_zone,
  }).format(new Date(signed_at))

async function download(copy: string): Promise<void> {
  const address = URL.createObjectURL(await requestFile(signingApi.copy, { copy }))
  element('a', { href: address, download: 'signed-copy.pdf' }).click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The text and the answers are gone. On a device of the school, nothing stays for the next
 *  person. */
function showResult(page: SignPage, result: SignResult): void {
  const { copy } = result
  const isLast = result.papers_left === 0
  if (isLast) history.replaceState(null, '', location.pathname)
  const copyButton =
    copy !== null &&
    element(
      'button',
      { type: 'button', onclick: () => void download(copy).catch(() => {}) },
      'Download your copy',
    )
  show(
    createHeader(page.link),
    element('h1', {}, 'Signed. Thank you.'),
    element('p', {}, `Signed on ${formatTime(result)}.`),
    result.is_mailed ? element('p', {}, 'Your copy is on its way by email.') : null,
    copyButton || null,
    isLast
      ? null
      : element(
          'button',
          { type: 'button', class: 'primary', onclick: () => void open(page.token) },
          result.papers_left === 1 ? 'Sign one more' : `Sign ${result.papers_left} more`,
        ),
    isLast && page.link.channel === 'device'
      ? element('p', {}, 'Please hand the device back.')
      : null,
    isLast && ['device', 'login'].includes(page.link.channel)
      ? element('a', { class: 'button', href: '/dashboard' }, 'Done')
      : null,
  )
}

const showMessage = (message: string): void =>
  show(element('h1', {}, 'Sign'), element('p', { role: 'alert' }, message))

async function open(token: string): Promise<void> {
  try {
    showPaper({ token, link: await request(signingApi.open, { token }) })
  } catch (error) {
    showMessage(describeFailure(error))
  }
}

const [, linkToken = ''] = location.hash.split('#', 2)
addEventListener('hashchange', () => location.reload())
void open(linkToken)
