import { createTransport } from 'nodemailer'
import { type Letterhead, withLetterhead } from './letterhead.ts'

/** A `letterhead` is shown above the text. */
export type Email = {
  to: string
  subject: string
  text: string
  letterhead?: Letterhead | null
  /** An event in the format of calendar apps, which is attached. */
  calendar?: string
  attachment?: { filename: string; content: Buffer; contentType: string }
}
export type Mailer = {
  /** False if the operator has not set up a mail server. In that case, `send` does nothing. */
  isConfigured: boolean
  /** Sends an email in the background. Call it after the commit. Failures are only logged. */
  send: (email: Email) => void
}

const TIMEOUT_MS = 15_000

const createMailTransport = (url: string) =>
  createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })

export async function verifyMailServer(smtpUrl: string): Promise<void> {
  const transport = createMailTransport(smtpUrl)
  await transport.verify().finally(() => transport.close())
}

/** `smtpUrl` has the form smtp://user:password@host:port, or smtps. */
export function createMailer(
  smtpUrl: string | undefined,
  sender: string,
  onError: (error: Error) => void,
): Mailer {
  if (!smtpUrl) return { isConfigured: false, send: () => {} }
  const transport = createMailTransport(smtpUrl)
  return {
    isConfigured: true,
    send: ({ letterhead, calendar, attachment, ...email }) => {
      const { attachments = [], ...look } = letterhead ? withLetterhead(letterhead, email.text) : {}
      const files = [
        ...(calendar === undefined ? [] : [createCalendarFile(calendar)]),
        ...(attachment ? [attachment] : []),
      ]
      void transport
        .sendMail({
          from: sender,
          ...email,
          ...look,
          attachments: [...attachments, ...files],
        })
        .catch(onError)
    },
  }
}

const createCalendarFile = (content: string) => ({
  filename: 'class.ics',
  content,
  contentType: 'text/calendar; charset=utf-8',
})
