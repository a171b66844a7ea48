import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { beginErrorReply } from '../http/errors.ts'
import { escapeHtml } from '../lib/html.ts'
import { renderDocument, sendDocument } from './document.ts'
import { languageFor } from './language.ts'
import { PAGE_WORDS } from './words.ts'

const TOO_MANY_REQUESTS = 429
const UNAVAILABLE = 503

/** Tells visitors in words what to do, where programs get JSON. */
export function sendErrorPage(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  beginErrorReply(error, request, reply)
  const { statusCode: status } = reply
  const { lang } = request.query as Record<string, unknown>
  const language = languageFor(lang, request.headers['accept-language'])
  const words = PAGE_WORDS[language]
  const isBusy = status === TOO_MANY_REQUESTS || status === UNAVAILABLE
  const isForm = request.method === 'POST'
  const title = isBusy ? words.busyTitle : words.brokenTitle
  const busyText = isForm ? words.busyForm : words.busy
  const link = isForm
    ? ''
    : `<p><a class="button" href="${escapeHtml(request.url)}">${words.tryAgain}</a></p>`
  const body = `<h1>${title}</h1><p role="alert">${isBusy ? busyText : words.broken}</p>${link}`
  return sendDocument(reply, renderDocument({ language, title, school: null, home: null, body }), {
    status,
    // The page has no secrets, and a frame that shows nothing would help nobody.
    frameAncestors: '*',
  })
}
