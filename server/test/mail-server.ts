import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'

/** Starts a mail server that keeps the emails it receives. */
export async function startMailServer() {
  const mails: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, _, callback) => {
      const parts: Buffer[] = []
      stream
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          // Decodes the parts of quoted-printable text that our emails use.
          mails.push(
            Buffer.concat(parts).toString().replaceAll(/=\r\n/g, '').replaceAll('=3D', '='),
          )
          callback()
        })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  afterAll(() => smtp.close())
  return {
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    mails,
    mailsTo: (address: string) => mails.filter((mail) => mail.includes(`To: ${address}`)),
  }
}
