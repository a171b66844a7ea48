import { createTransport } from 'nodemailer'

export type Email = { to: string; subject: string; text: string }
export type Mailer = {
  /** False when no mail server is set; then nothing may rely on e-mail. */
  isConfigured: boolean
  /** Sends in the background, after the commit of what the e-mail is about; a failure is only reported. */
  send: (email: Email) => void
}

const TIMEOUT_MS = 15_000

/** `smtpUrl` as nodemailer takes it: smtp://user:password@host:port, or smtps. */
export function mailer(smtpUrl: string | undefined, from: string, onError: (error: Error) => void): Mailer {
  if (!smtpUrl) return { isConfigured: false, send: () => {} }
  const transport = createTransport({ url: smtpUrl, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS })
  return { isConfigured: true, send: (email) => void transport.sendMail({ from, ...email }).catch(onError) }
}
