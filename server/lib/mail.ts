import { createTransport } from 'nodemailer'

export type Email = { to: string; subject: string; text: string }
export type Mailer = {
  /** False where no mail server is set: then nobody may count on letters. */
  isConfigured: boolean
  /** Hands a letter over in the background, after whatever it tells of has been committed; a failure is only reported. */
  send: (letter: Email) => void
}

const TIMEOUT_MS = 15_000

/** `smtpUrl` as nodemailer takes it: smtp://user:password@host:port, or smtps. */
export function mailer(smtpUrl: string | undefined, from: string, onError: (error: Error) => void): Mailer {
  if (!smtpUrl) return { isConfigured: false, send: () => {} }
  const transport = createTransport({ url: smtpUrl, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS })
  return { isConfigured: true, send: (letter) => void transport.sendMail({ from, ...letter }).catch(onError) }
}
