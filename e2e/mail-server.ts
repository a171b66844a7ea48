import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

/** Starts a mail server that stores each email as a file, which Playwright's workers can read. */
export async function startMailServer() {
  const mailbox = mkdtempSync(join(tmpdir(), 'tatami-mails-'))
  let mailCount = 0
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = []
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const recipients = envelope.rcptTo.map(({ address }) => address).join()
          writeFileSync(
            join(mailbox, `${(mailCount += 1)} ${recipients}`),
            decodeMail(Buffer.concat(chunks).toString()),
          )
          callback()
        })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  process.env.E2E_MAILBOX = mailbox
  return {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    stop: async () => {
      await new Promise<void>((resolve) => {
        smtp.close(resolve)
      })
      rmSync(mailbox, { recursive: true, force: true })
    },
  }
}

/** Decodes the parts of quoted-printable text that our emails use. */
const decodeMail = (mail: string) => mail.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')

/** Returns the emails that an address has received. */
export function readEmailsTo(address: string): string[] {
  const mailbox = process.env.E2E_MAILBOX ?? ''
  return readdirSync(mailbox)
    .filter((name) => name.endsWith(` ${address}`))
    .map((name) => readFileSync(join(mailbox, name), 'utf8'))
}
